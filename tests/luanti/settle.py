# SPDX-License-Identifier: Apache-2.0
"""Settles by exact arithmetic what two raycasts answered differently.

The penetration of a segment into a cube or box is how far its faces could all move inwards until the
segment would no longer touch it; it is negative for a miss. All numbers here are fractions: nothing
is rounded but the ends of the segment, to 1/65536 of a node, which is fractalray's documented input.
"""

from fractions import Fraction
from itertools import combinations

UNITS = 65536
# An answer may differ where the segment passes within this distance of an edge, a corner or a face
# that it does not quite reach. Luanti computes in float32: near 500, ten times a node's coordinate,
# their spacing is 1/32768.
TOLERANCE = Fraction(1, 4096)


def to_units(coordinate):
    """Returns a coordinate of Luanti's as fractalray rounds it, with nodes from n to n + 1."""
    return Fraction(round(Fraction(coordinate + 0.5) * UNITS), UNITS)


class Segment:
    def __init__(self, start, end):
        self.start = [to_units(c) for c in start]
        self.delta = [to_units(c) - s for c, s in zip(end, self.start)]

    def penetration(self, box):
        """Returns the penetration into a box (centre, half extents)."""
        # The least, along the segment, of the largest of six functions of t, each linear: distances
        # outwards from the faces. It is at an end or where two of them are equal.
        faces = []
        for start, delta, center, half in zip(self.start, self.delta, *box):
            faces += [(start - center - half, delta), (center - start - half, -delta)]
        times = [Fraction(0), Fraction(1)]
        for (a, da), (b, db) in combinations(faces, 2):
            if da != db:
                times.append((b - a) / (da - db))
        return -min(max(a + da * t for a, da in faces) for t in times if 0 <= t <= 1)

    def entry(self, box):
        """Returns the time at which the segment enters a box that it touches, and the normals of the
        faces through which it may be said to enter: several at an edge, a null vector inside."""
        entered, normals = Fraction(0), [[0, 0, 0]]
        for axis, (start, delta, center, half) in enumerate(zip(self.start, self.delta, *box)):
            if delta == 0:
                continue
            sign = 1 if delta > 0 else -1
            time = (center - sign * half - start) / delta
            normal = [-sign if a == axis else 0 for a in range(3)]
            if time > entered:
                entered, normals = time, [normal]
            elif time == entered:
                normals.append(normal)
        return entered, normals

    def length(self):
        """Returns an upper bound of the length."""
        return sum(abs(d) for d in self.delta)


def cube(node):
    return [Fraction(c) + Fraction(1, 2) for c in node], [Fraction(1, 2)] * 3


def box_of(six):
    """Returns the box of an object in Luanti's coordinates, given by its lower and upper corner."""
    low, high = [to_units(c) for c in six[:3]], [to_units(c) for c in six[3:]]
    return [(a + b) / 2 for a, b in zip(low, high)], [(b - a) / 2 for a, b in zip(low, high)]


class Question:
    """A question of the report, with the exact answer."""

    def __init__(self, entry):
        self.name = entry["question"]
        # Luanti rounds half numbers away from zero to find the node in which a line begins, and
        # downwards to find where it leaves that node. So a line that begins on the face between two
        # nodes, at a negative coordinate, visits other nodes than those that it crosses.
        self.begins_on_a_face = any(c < 0 and Fraction(c + 0.5).denominator == 1
                                    for c in entry["from"])
        self.segment = Segment(entry["from"], entry["to"])
        self.boxes = {}
        self.invented = set()  # answers that are not there, such as a node of air
        for node in entry["nodes"]:
            self.boxes["node", tuple(node)] = cube(node)
        for number, six in enumerate(entry.get("objects") or [], 1):
            self.boxes["object", number] = box_of(six)
        self.ours = [self.thing(answer) for answer in entry["ours"]]
        self.theirs = [self.thing(answer) for answer in entry["theirs"]]
        self.our_normals = [answer.get("normal") for answer in entry["ours"]]
        self.their_normals = [answer.get("normal") for answer in entry["theirs"]]

    def thing(self, answer):
        key = ("node", tuple(answer["node"])) if "node" in answer else ("object", answer["object"])
        if key not in self.boxes:
            self.boxes[key] = cube(answer["node"])
            self.invented.add(key)
        return key

    def penetration(self, key):
        return self.segment.penetration(self.boxes[key])

    def entry(self, key):
        return self.segment.entry(self.boxes[key])[0]

    def is_line_of_sight(self):
        return self.name == "line_of_sight"

    def slack(self, key):
        """Returns how far an answer of ours may be off: the boxes of objects are rounded twice."""
        return Fraction(4, UNITS) if key[0] == "object" else 0

    def faults_of_ours(self):
        """Returns why our answer is wrong, as a list of texts: empty if it is exact."""
        faults = []
        if self.invented & set(self.ours):
            faults.append("we hit what is not there")
        for key in self.ours:
            if self.penetration(key) < -self.slack(key):
                faults.append(f"we hit {key}, which the segment misses")
        last = max((self.entry(key) for key in self.ours), default=Fraction(2))
        for key in self.boxes:
            is_asked = not self.is_line_of_sight() or self.entry(key) < last
            if key not in self.ours and key not in self.invented and is_asked \
                    and self.penetration(key) > self.slack(key):
                faults.append(f"we miss {key}")
        for one, other in zip(self.ours, self.ours[1:]):
            slack = self.slack(one) + self.slack(other)
            if (self.entry(one) - self.entry(other)) * self.segment.length() > 3 * slack:
                faults.append(f"we hit {one} before {other}")
        return faults + self.wrong_normals()

    def wrong_normals(self):
        faults = []
        for key, normal in zip(self.ours, self.our_normals):
            if normal is None or key[0] == "object":
                continue
            allowed = self.segment.entry(self.boxes[key])[1]
            if [int(c) for c in normal] not in allowed:
                faults.append(f"we enter {key} through {normal} instead of {allowed}")
        return faults

    def cause(self):
        """Returns why the answers differ ("touches", "rounding" or "begins on a face"), and by how
        much; None if nothing explains it."""
        margins = self.margins_of_things() + self.margins_of_order()
        if not margins:
            return None
        if max(margins) > TOLERANCE:
            return ("begins on a face", max(margins)) if self.begins_on_a_face else None
        return ("rounding" if max(margins) > 0 else "touches"), max(margins)

    def margins_of_things(self):
        """Returns how nearly the segment hits or misses what only one side answered."""
        changed = set(self.ours) ^ set(self.theirs)
        if self.is_line_of_sight() and changed:
            # Of two different nodes the nearer one decides.
            changed = {min(changed, key=self.entry)}
        return [abs(self.penetration(key)) for key in changed]

    def margins_of_order(self):
        """Returns how nearly the segment enters two things at once that are in another order, or a
        thing through two faces at once where the normals differ."""
        margins = []
        both = set(self.ours) & set(self.theirs)
        for one, other in zip([k for k in self.ours if k in both],
                              [k for k in self.theirs if k in both]):
            if one != other:
                distance = abs(self.entry(one) - self.entry(other)) * self.segment.length()
                margins.append(distance)
            elif self.our_normals[self.ours.index(one)] != \
                    self.their_normals[self.theirs.index(one)]:
                margins.append(self.margin_of_faces(one))
        return margins

    def margin_of_faces(self, key):
        """Returns the distance along the segment between the last two of its start and the planes
        of the faces through which it may enter a box."""
        times = [Fraction(0)]
        for start, delta, center, half in zip(self.segment.start, self.segment.delta,
                                              *self.boxes[key]):
            if delta != 0:
                times.append((center - (half if delta > 0 else -half) - start) / delta)
        before, last = sorted(times)[-2:]
        return (last - before) * self.segment.length()
