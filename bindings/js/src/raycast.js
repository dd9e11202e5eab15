// SPDX-License-Identifier: Apache-2.0
// The voxels along a ray: a drop-in for npm's fast-voxel-raycast, exact at edges and corners, and
// without drift. Plain JavaScript: no WebAssembly, nothing to load, no garbage.
//
// As core/raycast.h does, it rounds the origin to units of 1/65536 and the direction to integers
// |d| < 2^51; from then on integers decide. With n_i units to the next plane of axis i, the sign of
//
//     e_ij = n_i |d_j| - n_j |d_i|
//
// says which plane is crossed first. n_i grows by 65536 a step, so e_ij by 65536 |d_j|: only the
// high part of e_ij changes, and whether its low 16 bits are zero is known from the start. The high
// part, plus 1/2 if the low bits are not zero, is an exact double: e_ij <= 0 exactly if that is.

const UNITS = 65536;  // in the width of a voxel
const MIN_BITS = 37;  // of the direction
const LONG = 2 ** 36;  // units, from which on it needs more
const MAX_REACH = 2 ** 33;  // voxels: keeps |d| below 2^51
const MAX_COORDINATE = 2 ** 42;
const MAX_INDEX = 2 ** 30;  // of voxels whose indices the loop keeps as 32-bit integers

// The ray of the call in progress. A typed array, since numbers in variables of a module would be
// garbage. raycast() reads it before it calls getVoxel(), which may call raycast().
const ray = new Float64Array(20);
const VOXEL = 0;      // x, y, z, from here on
const STEP = 3;       // 1 or -1
const TO_PLANE = 6;   // n: units to the next plane
const SPEED = 9;      // |d|
const LAST = 12;      // the last voxel of the axis within reach
const ORDER = 15;     // e_xy, e_xz, e_yz
const REACH = 18;     // in units
const LENGTH = 19;    // of d

// A double and its two halves. Every machine that runs JavaScript is little-endian.
const double = new Float64Array(1), halves = new Uint32Array(double.buffer);

// Returns floor(log2 |value|) of a finite number other than 0.
function exponentOf(value) {
  double[0] = value;
  const biased = (halves[1] >>> 20) & 0x7ff;
  return biased !== 0 ? biased - 1023 : Math.floor(Math.log2(Math.abs(value)));
}

// 2^-1000 to 2^1000: Math.pow would take a fifth of a short ray.
const POWERS = Float64Array.from({ length: 2001 }, (_, i) => 2 ** (i - 1000));

// Rounds half away from zero, as C's round(). Adding a whole half would round the number just below
// one up. Requires: |value| < 2^52.
const ALMOST_HALF = 0.49999999999999994;
function rounded(value) {
  return value < 0 ? -Math.floor(ALMOST_HALF - value) : Math.floor(value + ALMOST_HALF);
}

// Returns e_ij as above, from n_i and |d_j|, n_j and |d_i|; each |d| as d / 65536, rounded down, and
// the rest. All products are exact. An axis along which the ray does not run is never first.
function orderOf(ni, djHigh, djLow, nj, diHigh, diLow) {
  if (diHigh === 0 && diLow === 0) return Infinity;
  if (djHigh === 0 && djLow === 0) return -Infinity;
  const low = (ni * djLow - nj * diLow) / UNITS, whole = Math.floor(low);
  return ni * djHigh - nj * diHigh + whole + (low > whole ? 0.5 : 0);
}

function refuse(origin, direction, maxDistance) {
  const listed = (vector) => `[${vector[0]}, ${vector[1]}, ${vector[2]}]`;
  if (!(maxDistance >= 0)) {
    throw new RangeError(`raycast: the distance is ${maxDistance}; it must be 0 or more`);
  }
  for (let axis = 0; axis < 3; ++axis) {
    if (!(Math.abs(origin[axis]) < MAX_COORDINATE)) {
      throw new RangeError(`raycast: the origin is ${listed(origin)}; its numbers must be within +-2^42`);
    }
  }
  throw new RangeError(`raycast: the direction is ${listed(direction)}; it needs finite numbers, not all 0`);
}

// Returns how many voxels farther the last one is that a ray enters within `travel` units along an
// axis, of which the first plane is `n` away.
function lastOf(travel, n, d) {
  const planes = travel < n ? 0 : Math.floor((travel - n) / UNITS) + 1;
  return d > 0 ? planes : -planes;
}

// Fills `ray`. Returns true if the indices of all voxels on it fit 32-bit integers.
function prepare(ox, oy, oz, vx, vy, vz, maxDistance) {
  const largest = Math.max(Math.abs(vx), Math.abs(vy), Math.abs(vz));
  const farthest = Math.max(Math.abs(ox), Math.abs(oy), Math.abs(oz));
  if (!(largest > 0 && largest < Infinity && farthest < MAX_COORDINATE && maxDistance >= 0)) {
    refuse([ox, oy, oz], [vx, vy, vz], maxDistance);
  }
  const reach = Math.min(maxDistance, MAX_REACH) * UNITS;
  let scale = (reach < LONG ? MIN_BITS : exponentOf(reach) + 1) - exponentOf(largest);
  // In two steps where one would overflow: of directions that are subnormal. The least scale is -986.
  for (; scale > 1000; scale -= 1000) vx *= POWERS[2000], vy *= POWERS[2000], vz *= POWERS[2000];
  const power = POWERS[scale + 1000];
  const dx = rounded(vx * power), dy = rounded(vy * power), dz = rounded(vz * power);
  const ax = Math.abs(dx), ay = Math.abs(dy), az = Math.abs(dz);
  const axHigh = Math.floor(ax / UNITS), ayHigh = Math.floor(ay / UNITS), azHigh = Math.floor(az / UNITS);
  const axLow = ax - axHigh * UNITS, ayLow = ay - ayHigh * UNITS, azLow = az - azHigh * UNITS;
  const ux = rounded(ox * UNITS), uy = rounded(oy * UNITS), uz = rounded(oz * UNITS);
  const x = Math.floor(ux / UNITS), y = Math.floor(uy / UNITS), z = Math.floor(uz / UNITS);
  const nx = dx > 0 ? (x + 1) * UNITS - ux : ux - x * UNITS;
  const ny = dy > 0 ? (y + 1) * UNITS - uy : uy - y * UNITS;
  const nz = dz > 0 ? (z + 1) * UNITS - uz : uz - z * UNITS;
  const length = Math.sqrt(ax * ax + ay * ay + az * az);
  ray[VOXEL] = x; ray[VOXEL + 1] = y; ray[VOXEL + 2] = z;
  ray[STEP] = dx > 0 ? 1 : -1; ray[STEP + 1] = dy > 0 ? 1 : -1; ray[STEP + 2] = dz > 0 ? 1 : -1;
  ray[TO_PLANE] = nx; ray[TO_PLANE + 1] = ny; ray[TO_PLANE + 2] = nz;
  ray[SPEED] = ax; ray[SPEED + 1] = ay; ray[SPEED + 2] = az;
  // Units of the axis within reach, then planes.
  const travel = reach / length;
  ray[LAST] = x + lastOf(ax * travel, nx, dx); ray[LAST + 1] = y + lastOf(ay * travel, ny, dy);
  ray[LAST + 2] = z + lastOf(az * travel, nz, dz);
  ray[LENGTH] = length;
  ray[ORDER] = orderOf(nx, ayHigh, ayLow, ny, axHigh, axLow);
  ray[ORDER + 1] = orderOf(nx, azHigh, azLow, nz, axHigh, axLow);
  ray[ORDER + 2] = orderOf(ny, azHigh, azLow, nz, ayHigh, ayLow);
  ray[REACH] = reach;
  return farthest + reach / UNITS < MAX_INDEX;
}

// Sets where a ray ends, of which the first voxel, the origin and so on are as in `ray`: in the voxel
// (x, y, z) that it has entered across an axis, or at its end if that is -1.
function report(axis, x, y, z, x0, y0, z0, ox, oy, oz, stepX, stepY, stepZ, nx, ny, nz, ax, ay, az, time,
                hitPosition, hitNormal) {
  // Units to the plane that it has crossed last, over the units of a step of time.
  let t = time;
  if (axis === 0) t = (nx + (Math.abs(x - x0) - 1) * UNITS) / ax;
  if (axis === 1) t = (ny + (Math.abs(y - y0) - 1) * UNITS) / ay;
  if (axis === 2) t = (nz + (Math.abs(z - z0) - 1) * UNITS) / az;
  if (hitPosition) {
    const voxels = t / UNITS;
    hitPosition[0] = axis === 0 ? (stepX > 0 ? x : x + 1) : ox + stepX * ax * voxels;
    hitPosition[1] = axis === 1 ? (stepY > 0 ? y : y + 1) : oy + stepY * ay * voxels;
    hitPosition[2] = axis === 2 ? (stepZ > 0 ? z : z + 1) : oz + stepZ * az * voxels;
  }
  if (hitNormal) {
    hitNormal[0] = axis === 0 ? -stepX : 0;
    hitNormal[1] = axis === 1 ? -stepY : 0;
    hitNormal[2] = axis === 2 ? -stepZ : 0;
  }
}

// Calls getVoxel(x, y, z) for the voxels along a ray, until it returns something other than 0, null,
// undefined or false, and returns that; 0 if the ray ends before, after `maxDistance` voxels' widths.
// `origin` and `direction` are arrays of three numbers; the direction may have any length. Sets
// hitPosition to where that voxel is entered, or to the end of the ray, and hitNormal to the face
// that it is entered through, zero for the first voxel; both may be left out. At exact edges and
// corners it crosses one axis after another, x before y before z. Throws a RangeError for a direction
// of zero, and for numbers that are not finite or too large.
export function raycast(getVoxel, origin, direction, maxDistance = 64, hitPosition = undefined,
                        hitNormal = undefined) {
  const ox = +origin[0], oy = +origin[1], oz = +origin[2];
  if (!prepare(ox, oy, oz, +direction[0], +direction[1], +direction[2], maxDistance)) {
    return walkFar(getVoxel, ox, oy, oz, hitPosition, hitNormal);
  }
  // Short, so that V8 compiles it into its caller, with getVoxel: that is half of its speed.
  const x0 = ray[VOXEL] | 0, y0 = ray[VOXEL + 1] | 0, z0 = ray[VOXEL + 2] | 0;
  const stepX = ray[STEP] | 0, stepY = ray[STEP + 1] | 0, stepZ = ray[STEP + 2] | 0;
  const lastX = ray[LAST] | 0, lastY = ray[LAST + 1] | 0, lastZ = ray[LAST + 2] | 0;
  const nx = ray[TO_PLANE], ny = ray[TO_PLANE + 1], nz = ray[TO_PLANE + 2];
  const ax = ray[SPEED], ay = ray[SPEED + 1], az = ray[SPEED + 2];
  const time = ray[REACH] / ray[LENGTH];
  let xy = ray[ORDER], xz = ray[ORDER + 1], yz = ray[ORDER + 2];
  let x = x0, y = y0, z = z0, axis = -1, voxel = 0;
  while (!(voxel = getVoxel(x, y, z))) {
    if (xy <= 0 && xz <= 0) {
      if (x === lastX) break;
      axis = 0; x = (x + stepX) | 0; xy += ay; xz += az;
    } else if (xy > 0 && yz <= 0) {
      if (y === lastY) break;
      axis = 1; y = (y + stepY) | 0; xy -= ax; yz += az;
    } else {
      if (z === lastZ) break;
      axis = 2; z = (z + stepZ) | 0; xz -= ax; yz -= ay;
    }
  }
  if (hitPosition || hitNormal) {
    report(voxel ? axis : -1, x, y, z, x0, y0, z0, ox, oy, oz, stepX, stepY, stepZ, nx, ny, nz, ax, ay, az,
      voxel && axis < 0 ? 0 : time, hitPosition, hitNormal);
  }
  return voxel || 0;
}

// The same where indices have more than 32 bits.
function walkFar(getVoxel, ox, oy, oz, hitPosition, hitNormal) {
  const x0 = ray[VOXEL], y0 = ray[VOXEL + 1], z0 = ray[VOXEL + 2];
  const stepX = ray[STEP], stepY = ray[STEP + 1], stepZ = ray[STEP + 2];
  const lastX = ray[LAST], lastY = ray[LAST + 1], lastZ = ray[LAST + 2];
  const nx = ray[TO_PLANE], ny = ray[TO_PLANE + 1], nz = ray[TO_PLANE + 2];
  const ax = ray[SPEED], ay = ray[SPEED + 1], az = ray[SPEED + 2];
  const time = ray[REACH] / ray[LENGTH];
  let xy = ray[ORDER], xz = ray[ORDER + 1], yz = ray[ORDER + 2];
  let x = x0, y = y0, z = z0, axis = -1, voxel = 0;
  while (!(voxel = getVoxel(x, y, z))) {
    if (xy <= 0 && xz <= 0) {
      if (x === lastX) break;
      axis = 0; x += stepX; xy += ay; xz += az;
    } else if (xy > 0 && yz <= 0) {
      if (y === lastY) break;
      axis = 1; y += stepY; xy -= ax; yz += az;
    } else {
      if (z === lastZ) break;
      axis = 2; z += stepZ; xz -= ax; yz -= ay;
    }
  }
  report(voxel ? axis : -1, x, y, z, x0, y0, z0, ox, oy, oz, stepX, stepY, stepZ, nx, ny, nz, ax, ay, az,
    voxel && axis < 0 ? 0 : time, hitPosition, hitNormal);
  return voxel || 0;
}
