// SPDX-License-Identifier: Apache-2.0
// The upright plane through a shot, as it is seen from the side.

// Returns how to look at points from the side: {center, across, toEye, halfWidth, halfHeight}. The line from the first
// point to the farthest one runs from left to right.
export function sectionOf(points, aspect) {
  const [first] = points;
  const distance = (point) => Math.hypot(...point.map((part, i) => part - first[i]));
  const far = points.reduce((best, point) => (distance(point) > distance(best) ? point : best), first);
  const flat = [far[0] - first[0], 0, far[2] - first[2]], length = Math.hypot(...flat);
  // A line straight up or down: any direction will do.
  const across = length < 1e-9 ? [1, 0, 0] : flat.map((part) => part / length);
  const toEye = [-across[2], 0, across[0]];
  const along = points.map((point) => point.reduce((sum, part, i) => sum + part * across[i], 0)), heights = points.map((point) => point[1]);
  const middle = (list) => (Math.min(...list) + Math.max(...list)) / 2, half = (list) => (Math.max(...list) - Math.min(...list)) / 2;
  const depth = first.reduce((sum, part, i) => sum + part * toEye[i], 0);
  const center = [0, 1, 2].map((i) => across[i] * middle(along) + toEye[i] * depth + (i === 1 ? middle(heights) : 0));
  const halfWidth = Math.max(half(along) * 1.15 + 1, (half(heights) * 1.25 + 1.5) * aspect, 4);
  return { center, across, toEye, halfWidth, halfHeight: halfWidth / aspect };
}
