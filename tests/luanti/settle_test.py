#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the exact arithmetic of the server test accepts right answers and refuses wrong ones."""

import unittest
from fractions import Fraction

import settle


def question(ours, theirs=None, start=(-2, 0, 0), end=(4, 0, 0), nodes=((1, 0, 0), (3, 0, 0)),
             name="raycast"):
    def answers(things):
        return [{"node": list(node), "normal": [-1, 0, 0] if normal is None else normal}
                for node, normal in things]
    ours = [(node, None) if isinstance(node[0], int) else node for node in ours]
    theirs = ours if theirs is None else [(n, None) if isinstance(n[0], int) else n for n in theirs]
    return settle.Question({"question": name, "from": start, "to": end, "nodes": nodes,
                            "ours": answers(ours), "theirs": answers(theirs)})


def about_an_object(ours, theirs, box, position):
    """Returns a question about a line along x, the node (3, 0, 0) and an object."""
    def answers(things):
        return [{"object": 1, "normal": [-1, 0, 0]} if thing == "object" else
                {"node": [3, 0, 0], "normal": [-1, 0, 0]} for thing in things]
    return settle.Question({"question": "raycast", "from": (-2, 0, 0), "to": (4, 0, 0),
                            "nodes": [(3, 0, 0)], "objects": [[*box, *position]],
                            "ours": answers(ours), "theirs": answers(theirs)})


class FaultsOfOurs(unittest.TestCase):
    def test_a_right_answer_has_none(self):
        self.assertEqual(question([(1, 0, 0), (3, 0, 0)]).faults_of_ours(), [])

    def test_a_missed_node(self):
        self.assertIn("we miss", question([(1, 0, 0)]).faults_of_ours()[0])

    def test_a_node_of_air(self):
        faults = question([(0, 0, 0), (1, 0, 0), (3, 0, 0)]).faults_of_ours()
        self.assertIn("we hit what is not there", faults)

    def test_a_node_next_to_the_line(self):
        nodes = ((1, 0, 0), (3, 0, 0), (2, 2, 0))
        faults = question([(1, 0, 0), (2, 2, 0), (3, 0, 0)], nodes=nodes).faults_of_ours()
        self.assertTrue(any("which the segment misses" in fault for fault in faults))

    def test_a_wrong_order(self):
        self.assertIn("before", question([(3, 0, 0), (1, 0, 0)]).faults_of_ours()[0])

    def test_a_wrong_face(self):
        faults = question([((1, 0, 0), [0, 1, 0]), (3, 0, 0)]).faults_of_ours()
        self.assertIn("we enter", faults[0])

    def test_a_touched_edge_may_be_hit_or_not(self):
        along_the_edge = {"start": (-2, 0.5, 0.5), "end": (4, 0.5, 0.5)}
        self.assertEqual(question([], **along_the_edge).faults_of_ours(), [])
        self.assertEqual(question([(1, 0, 0), (3, 0, 0)], **along_the_edge).faults_of_ours(), [])

    def test_a_line_of_sight_ends_at_its_first_node(self):
        self.assertEqual(question([(1, 0, 0)], name="line_of_sight").faults_of_ours(), [])
        self.assertIn("we miss", question([(3, 0, 0)], name="line_of_sight").faults_of_ours()[0])


class Causes(unittest.TestCase):
    def test_a_node_in_the_middle_of_the_line_is_unexplained(self):
        self.assertIsNone(question([(1, 0, 0), (3, 0, 0)], [(3, 0, 0)]).cause())

    def test_a_touched_edge(self):
        found = question([], [(1, 0, 0)], start=(-2, 0.5, 0), end=(4, 0.5, 0)).cause()
        self.assertEqual(found, ("touches", 0))

    def test_rounding(self):
        height = 0.5 - 1 / 16384
        found = question([(1, 0, 0), (3, 0, 0)], [(3, 0, 0)], start=(-2, height, 0),
                         end=(4, height, 0)).cause()
        self.assertEqual(found[0], "rounding")

    def test_a_line_that_begins_on_a_face_at_a_negative_coordinate(self):
        ours, theirs = [(1, 0, 0), (3, 0, 0)], [(3, 0, 0)]
        found = question(ours, theirs, start=(-2.5, 0, 0)).cause()
        self.assertEqual(found[0], "begins on a face")
        self.assertIsNone(question(ours, theirs, start=(0.5, 0, 0)).cause())

    def test_a_swapped_order_of_distant_nodes_is_unexplained(self):
        self.assertIsNone(question([(1, 0, 0), (3, 0, 0)], [(3, 0, 0), (1, 0, 0)]).cause())

    def test_luanti_lists_objects_first(self):
        for x, expected in (2.59375, "objects first"), (2.75, None):
            found = about_an_object(["node", "object"], ["object", "node"],
                                    (x, -0.5, -0.5, x + 1, 0.5, 0.5), (x, 0, 0)).cause()
            self.assertEqual(found and found[0], expected)

    def test_luanti_does_not_test_far_objects(self):
        for x, expected in (5.5, "far object"), (4.5, None):
            found = about_an_object(["node", "object"], ["node"],
                                    (3.75, -0.5, -0.5, 6, 0.5, 0.5), (x, 0, 0)).cause()
            self.assertEqual(found and found[0], expected)

    def test_another_face_in_the_middle_of_a_face_is_unexplained(self):
        theirs = [((1, 0, 0), [0, 1, 0]), (3, 0, 0)]
        self.assertIsNone(question([(1, 0, 0), (3, 0, 0)], theirs).cause())

    def test_another_point_alone_is_unexplained(self):
        self.assertIsNone(question([(1, 0, 0), (3, 0, 0)]).cause())


def about_boxes(ours, theirs, uncut=None):
    """Returns a question about a line along x through the node (1, 0, 0), of two posts, and above (3, 0, 0), a
    slab of which Luanti has the boxes `uncut`. Answers are numbers of nodes and of where they are entered."""
    def post(low, high):
        return (Fraction(low, 4), Fraction(-1, 2), Fraction(-1, 2)), (Fraction(high, 4),) + (Fraction(1, 2),) * 2
    slab = [((Fraction(-1, 2),) * 3, (Fraction(1, 2), Fraction(0), Fraction(1, 2)))]
    posts = [post(-1, 0), post(1, 2)]
    def answers(hits):
        return [{"node": [node, 0, 0], "normal": [-1, 0, 0], "point": [x, 0.25, 0]} for node, x in hits]
    return settle.Question({"question": "raycast", "from": (-2, 0.25, 0), "to": (4, 0.25, 0),
                            "nodes": [(1, 0, 0), (3, 0, 0)], "shapes": [(posts, posts), (slab, uncut or slab)],
                            "ours": answers(ours), "theirs": answers(theirs)})


class Boxes(unittest.TestCase):
    UNCUT = [((Fraction(-1, 2),) * 3, (Fraction(1, 2), Fraction(1), Fraction(1, 2)))]

    def test_the_first_box_counts(self):
        self.assertEqual(about_boxes([(1, 0.75)], []).faults_of_ours(), [])
        self.assertIn("we enter", about_boxes([(1, 1.25)], []).faults_of_ours()[0])
        self.assertIn("we miss", about_boxes([], []).faults_of_ours()[0])

    def test_the_empty_half_of_a_slab_is_not_hit(self):
        self.assertIn("which the segment misses", about_boxes([(1, 0.75), (3, 2.5)], []).faults_of_ours()[0])

    def test_a_box_beyond_the_node_explains_what_it_reaches(self):
        ours, theirs = [(1, 0.75)], [(1, 0.75), (3, 2.5)]
        self.assertIsNone(about_boxes(ours, theirs).cause())
        self.assertEqual(about_boxes(ours, theirs, self.UNCUT).cause()[0], "beyond the node")
        self.assertIsNone(about_boxes(ours, [(3, 2.5)], self.UNCUT).cause())

    def test_another_box_of_the_node_is_no_touch(self):
        self.assertIsNone(about_boxes([(1, 0.75)], [(1, 1.25)]).cause())


if __name__ == "__main__":
    unittest.main()
