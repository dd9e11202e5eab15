# SPDX-License-Identifier: Apache-2.0
"""Settles by exact arithmetic what two raycasts answered differently.

The penetration of a segment into a cube or box is how far its faces could all move inwards until the
segment would no longer touch it; it is negative for a miss. All numbers here are fractions: nothing
is rounded but the ends of the segment, to 1/65536 of a node, which is fractalray's documented input.
"""

import collections
import math
from fractions import Fraction
from itertools import combinations

UNITS = 65536
# An answer may differ where the segment passes within this distance of an edge, a corner or a face
# that it does not quite reach. Luanti computes in float32: near 500, ten times a node's coordinate,
# their spacing is 1/32768.
TOLERANCE = Fraction(1, 4096)
# A box that is penetrated at all is penetrated by more.
LEAST = Fraction(1, 2**80)
# Of the points in which boxes are entered, in nodes.
POINT_TOLERANCE = 1 / 1024

# Why answers differ, as it is printed.
CAUSES = {
    "touches": "where the segment only touches an edge or a corner",
    "rounding": "by rounding to float32",
    "begins on a face": "where it begins on the face of a node, from which Luanti's walk goes astray",
    "objects first": "where Luanti lists an object before a node that is nearer",
    "far object": "where Luanti does not test an object near the end",
    "beyond the node": "where a box reaches beyond its node, at which fractalray cuts it",
}


def to_units(coordinate):
    """Returns a coordinate of Luanti's as fractalray rounds it, with nodes from n to n + 1."""
    return Fraction(round(Fraction(coordinate + 0.5) * UNITS), UNITS)


class Segment:
    def __init__(self, start, end):
        self.start = [to_units(c) for c in start]
        self.delta = [to_units(c) - s for c, s in zip(end, self.start)]
        self.known = {}  # the box and its penetration, by the id of the box

    def penetration(self, box):
        """Returns the penetration into a box (centre, half extents), computed once for each."""
        if id(box) not in self.known:
            self.known[id(box)] = box, self.compute_penetration(box)
        return self.known[id(box)][1]

    def compute_penetration(self, box):
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

    def at(self, time):
        return [start + time * delta for start, delta in zip(self.start, self.delta)]

    def length(self):
        """Returns an upper bound of the length."""
        return sum(abs(d) for d in self.delta)


def cube(node):
    return [Fraction(c) + Fraction(1, 2) for c in node], [Fraction(1, 2)] * 3


def box_of(six):
    """Returns the box of an object in Luanti's coordinates, given by its lower and upper corner."""
    low, high = [to_units(c) for c in six[:3]], [to_units(c) for c in six[3:]]
    return [(a + b) / 2 for a, b in zip(low, high)], [(b - a) / 2 for a, b in zip(low, high)]


def boxes_of(node, boxes):
    """Returns boxes of a node, given by corners relative to its centre."""
    lower = [c + Fraction(1, 2) for c in node]
    return [([n + (a + b) / 2 for n, a, b in zip(lower, *box)], [(b - a) / 2 for a, b in zip(*box)])
            for box in boxes]


class Question:
    """A question of the report, with the exact answer.

    Nodes are cubes, unless entry["shapes"] has two lists of boxes for each: those of fractalray, and those of
    Luanti.
    """

    def __init__(self, entry):
        self.name = entry["question"]
        self.asked = (f"{self.name} from {entry['from']} to {entry['to']}: ours {entry['ours']}, Luanti's "
                      f"{entry['theirs']}")
        # Luanti rounds half numbers away from zero to find the node in which a line begins, and
        # downwards to find where it leaves that node. So a line that begins on the face between two
        # nodes, at a negative coordinate, visits other nodes than those that it crosses.
        self.begins_on_a_face = any(c < 0 and Fraction(c + 0.5).denominator == 1
                                    for c in entry["from"])
        self.segment = Segment(entry["from"], entry["to"])
        self.boxes = {}  # lists of boxes
        self.luantis = {}  # those that differ
        self.positions = {}  # of objects
        self.invented = set()  # answers that are not there, such as a node of air
        for i, node in enumerate(entry["nodes"]):
            self.boxes["node", tuple(node)] = [cube(node)]
            if "shapes" in entry:
                ours, theirs = (boxes_of(node, boxes) for boxes in entry["shapes"][i])
                self.boxes["node", tuple(node)] = ours
                if ours != theirs:
                    self.luantis["node", tuple(node)] = theirs
        for number, numbers in enumerate(entry.get("objects") or [], 1):
            self.boxes["object", number] = [box_of(numbers[:6])]
            self.positions["object", number] = [to_units(c) for c in numbers[6:]]
        self.ours = [self.thing(answer) for answer in entry["ours"]]
        self.theirs = [self.thing(answer) for answer in entry["theirs"]]
        self.our_points = [answer.get("point") for answer in entry["ours"]]
        self.their_points = [answer.get("point") for answer in entry["theirs"]]
        self.our_normals = [answer.get("normal") for answer in entry["ours"]]
        self.their_normals = [answer.get("normal") for answer in entry["theirs"]]

    def thing(self, answer):
        key = ("node", tuple(answer["node"])) if "node" in answer else ("object", answer["object"])
        if key not in self.boxes:
            self.boxes[key] = [cube(answer["node"])]
            self.invented.add(key)
        return key

    def penetration(self, key):
        return self.deepest(self.boxes[key])

    def deepest(self, boxes):
        """Returns the penetration into the deepest of boxes; -1 if there are none."""
        return max(map(self.segment.penetration, boxes), default=Fraction(-1))

    def entry(self, key):
        return self.first_entry(self.boxes[key])

    def first_entry(self, boxes, least=-TOLERANCE):
        """Returns the earliest entry into those of boxes that are penetrated by `least`; of all if none is."""
        entered = [box for box in boxes if self.segment.penetration(box) >= least]
        return min(self.segment.entry(box)[0] for box in entered or boxes)

    def latest_entry(self, boxes):
        """Returns when one of boxes has been entered, even if those that are only touched are not."""
        penetrated = [box for box in boxes if self.segment.penetration(box) > 0]
        if penetrated:
            return min(self.segment.entry(box)[0] for box in penetrated)
        return max(self.segment.entry(box)[0] for box in boxes)

    def normals(self, boxes, least):
        """Returns the normals through which boxes that are penetrated by `least` may be entered first."""
        entered = [self.segment.entry(box) for box in boxes if self.segment.penetration(box) >= least]
        first = min((time for time, _ in entered), default=None)
        return [normal for time, normals in entered if time == first for normal in normals]

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
            earliest = self.first_entry(self.boxes[one], -self.slack(one))
            latest = self.latest_entry(self.boxes[other])
            if (earliest - latest) * self.segment.length() > 3 * slack:
                faults.append(f"we hit {one} before {other}")
        return faults + self.wrong_normals() + self.wrong_points()

    def wrong_normals(self):
        faults = []
        for key, normal in zip(self.ours, self.our_normals):
            if normal is None or key[0] == "object":
                continue
            # Boxes that are only touched may be hit or not.
            boxes = self.boxes[key]
            allowed = self.normals(boxes, 0) + self.normals(boxes, LEAST)
            if not any(self.segment.penetration(box) > 0 for box in boxes):
                allowed += [normal for box in boxes for normal in self.segment.entry(box)[1]]
            if [int(c) for c in normal] not in allowed:
                faults.append(f"we enter {key} through {normal} instead of {allowed}")
        return faults

    def entered(self, boxes, point):
        """Returns the boxes that the segment, if they were wider by TOLERANCE, enters at a point."""
        return [box for box in boxes if self.segment.penetration(box) >= -TOLERANCE and math.dist(
            map(float, self.segment.at(self.segment.entry(box)[0])), [c + 0.5 for c in point]) < POINT_TOLERANCE]

    def wrong_points(self):
        faults = []
        for key, point in zip(self.ours, self.our_points):
            if point is None:
                continue
            latest = self.latest_entry(self.boxes[key])
            if all(self.segment.entry(box)[0] > latest for box in self.entered(self.boxes[key], point)):
                faults.append(f"we enter {key} at {point}")
        return faults

    def causes_of_points(self):
        """Returns causes for nodes that both hit, but of several boxes different ones."""
        found = []
        for key, ours in zip(self.ours, self.our_points):
            theirs = self.their_points[self.theirs.index(key)] if key in self.theirs else None
            if theirs is None or math.dist(ours, theirs) < POINT_TOLERANCE:
                continue
            boxes = self.luantis.get(key, self.boxes[key])
            touched = [abs(self.segment.penetration(box))
                       for box in self.entered(self.boxes[key], ours) + self.entered(boxes, theirs)]
            is_beyond = key in self.luantis and self.entered(boxes, theirs)
            found.append(self.named(min(touched, default=Fraction(1)), is_beyond and "beyond the node"))
        return found

    def cause(self):
        """Returns why the answers differ, one of CAUSES, and by how much; None if nothing explains
        it."""
        found = (self.causes_of_things() + self.causes_of_order() + self.causes_of_normals()
                 + self.causes_of_points())
        if not found or any(cause is None for cause, _ in found):
            return None
        return max(found, key=lambda each: each[1])

    def named(self, margin, *others):
        """Returns the cause of a difference of that margin; of other causes the first that is set
        applies where rounding cannot explain it."""
        if margin <= TOLERANCE:
            return ("rounding" if margin > 0 else "touches"), margin
        if self.begins_on_a_face:
            return "begins on a face", margin
        return next((cause for cause in others if cause), None), margin

    def causes_of_things(self):
        changed = set(self.ours) ^ set(self.theirs)
        if self.is_line_of_sight() and changed:
            # Of two different nodes the nearer one decides.
            changed = {min(changed, key=self.entry)}
        return [self.named(abs(self.penetration(key)), self.is_far(key) and "far object",
                           self.agrees_beyond(key) and "beyond the node") for key in changed]

    def agrees_beyond(self, key):
        """Returns true if Luanti's answer is right with boxes that reach beyond their node."""
        if key not in self.luantis:
            return False
        penetration = self.deepest(self.luantis[key])
        return penetration >= -TOLERANCE if key in self.theirs else penetration <= TOLERANCE

    def luantis_entry(self, key):
        return self.first_entry(self.luantis.get(key, self.boxes[key]))

    def is_far(self, key):
        """Returns true for an object that Luanti does not test: its position is more than a node
        farther from the start than the segment is long."""
        if key not in self.positions or key not in self.ours:
            return False
        offset = [p - s for p, s in zip(self.positions[key], self.segment.start)]
        return math.hypot(*offset) > math.hypot(*self.segment.delta) + 1 - TOLERANCE

    def causes_of_order(self):
        both = set(self.ours) & set(self.theirs)
        ours, theirs = ([key for key in keys if key in both] for keys in (self.ours, self.theirs))
        found = []
        for first, second in combinations(ours, 2):
            if theirs.index(second) < theirs.index(first):
                distance = (self.entry(second) - self.entry(first)) * self.segment.length()
                is_preferred = self.is_preferred(second, first)
                is_beyond = (self.luantis_entry(second) - self.luantis_entry(first)) \
                    * self.segment.length() <= TOLERANCE
                found.append(self.named(distance, is_preferred and "objects first",
                                        is_beyond and "beyond the node"))
        return found

    def is_preferred(self, thing, nearer):
        """Returns true for an object that Luanti lists before a node which is nearer: it subtracts 1
        from the squared distance of objects."""
        times = self.entry(thing) ** 2 - self.entry(nearer) ** 2
        squared = times * sum(d * d for d in self.segment.delta)
        return thing[0] == "object" and nearer[0] == "node" and squared < 1 + TOLERANCE

    def causes_of_normals(self):
        found = []
        for key in set(self.ours) & set(self.theirs):
            ours = self.our_normals[self.ours.index(key)]
            theirs = self.their_normals[self.theirs.index(key)]
            if ours != theirs:
                is_beyond = theirs in self.normals(self.luantis.get(key, []), -TOLERANCE)
                found.append(self.named(self.margin_of_faces(key), is_beyond and "beyond the node"))
        return found

    def margin_of_faces(self, key):
        """Returns the distance along the segment between its entry into boxes and the nearest other plane
        through which it may enter one of them."""
        entry, times = self.entry(key), [Fraction(0)]
        for box in self.boxes[key]:
            for start, delta, center, half in zip(self.segment.start, self.segment.delta, *box):
                if delta != 0:
                    times.append((center - (half if delta > 0 else -half) - start) / delta)
        times.remove(entry)
        return min(abs(time - entry) for time in times) * self.segment.length()


def settle_all(differences, samples):
    """Prints each question of which the answers differ with the cause; returns the number of faults."""
    faults = 0
    causes = collections.Counter()
    for question in differences + samples:
        for fault in question.faults_of_ours():
            print(f"WRONG: {fault}\n{question.asked}")
            faults += 1
    for question in differences:
        cause = question.cause()
        if cause is None:
            print(f"UNEXPLAINED: {question.asked}")
            faults += 1
            continue
        causes[cause[0]] += 1
        print(f"differs by {cause[0]}, {float(cause[1]):.2g} of a node: {question.asked}")
    print(f"{len(differences)} differences; {len(samples)} answers without a difference checked too; "
          f"{faults} faults")
    for cause, count in causes.items():
        print(f"{count:6} {CAUSES[cause]}")
    return faults
