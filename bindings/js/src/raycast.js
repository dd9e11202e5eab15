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

// The ray of a call, and where its walk ends. Functions that V8 does not compile into their callers get
// objects and small integers alone: every other number would be garbage, as an argument.
class Ray {
  constructor() {
    // Halves, so that V8 knows all members as doubles, whose memory it writes to.
    this.originX = this.originY = this.originZ = 0.5;
    this.x = this.y = this.z = 0.5;  // the first voxel
    this.stepX = this.stepY = this.stepZ = 0.5;  // 1 or -1
    this.toPlaneX = this.toPlaneY = this.toPlaneZ = 0.5;  // n: units to the next plane
    this.speedX = this.speedY = this.speedZ = 0.5;  // |d|
    this.lastX = this.lastY = this.lastZ = 0.5;  // the last voxel of the axis within reach
    this.orderXY = this.orderXZ = this.orderYZ = 0.5;  // e
    this.endTime = 0.5;  // the reach in units over the length of d
    this.endX = this.endY = this.endZ = 0.5;  // the last voxel that was visited
    this.axis = 0.5;  // of the plane that was crossed last; -1 in the first voxel
  }
}
// Those of the calls that run: getVoxel() may call raycast().
const rays = [new Ray()];
let depth = 0;

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

// Rounds halves up. Adding a whole half would round the number just below one up. Requires: 0 <= value < 2^52.
const ALMOST_HALF = 0.49999999999999994;
function nearest(value) {
  return Math.floor(value + ALMOST_HALF);
}
// Rounds half away from zero, as C's round(). Requires: |value| < 2^52.
function rounded(value) {
  return value < 0 ? -nearest(-value) : nearest(value);
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

// Returns how many planes of an axis a ray crosses within `travel` units along it, of which the first is `n`
// away, at most 65536.
function planesWithin(travel, n) {
  return Math.floor((travel - n) / UNITS) + 1;
}

// Fills a ray. Returns true if the indices of all voxels on it fit 32-bit integers. One branch for the sign of each
// component, since processors guess half of those wrong.
function prepare(ray, origin, direction, maxDistance) {
  const ox = +origin[0], oy = +origin[1], oz = +origin[2];
  const vx = +direction[0], vy = +direction[1], vz = +direction[2];
  let ax = Math.abs(vx), ay = Math.abs(vy), az = Math.abs(vz);
  const largest = Math.max(ax, ay, az);
  const farthest = Math.max(Math.abs(ox), Math.abs(oy), Math.abs(oz));
  if (!(largest > 0 && largest < Infinity && farthest < MAX_COORDINATE && maxDistance >= 0)) {
    refuse(origin, direction, maxDistance);
  }
  const reach = Math.min(maxDistance, MAX_REACH) * UNITS;
  let scale = (reach < LONG ? MIN_BITS : exponentOf(reach) + 1) - exponentOf(largest);
  // In two steps where one would overflow: of directions that are subnormal. The least scale is -986.
  for (; scale > 1000; scale -= 1000) ax *= POWERS[2000], ay *= POWERS[2000], az *= POWERS[2000];
  const power = POWERS[scale + 1000];
  ax = nearest(ax * power);
  ay = nearest(ay * power);
  az = nearest(az * power);
  const axHigh = Math.floor(ax / UNITS), ayHigh = Math.floor(ay / UNITS), azHigh = Math.floor(az / UNITS);
  const axLow = ax - axHigh * UNITS, ayLow = ay - ayHigh * UNITS, azLow = az - azHigh * UNITS;
  const ux = rounded(ox * UNITS), uy = rounded(oy * UNITS), uz = rounded(oz * UNITS);
  const x = Math.floor(ux / UNITS), y = Math.floor(uy / UNITS), z = Math.floor(uz / UNITS);
  let nx = ux - x * UNITS, ny = uy - y * UNITS, nz = uz - z * UNITS, stepX = -1, stepY = -1, stepZ = -1;
  if (vx > 0) {
    nx = UNITS - nx;
    stepX = 1;
  }
  if (vy > 0) {
    ny = UNITS - ny;
    stepY = 1;
  }
  if (vz > 0) {
    nz = UNITS - nz;
    stepZ = 1;
  }
  const endTime = reach / Math.sqrt(ax * ax + ay * ay + az * az);
  ray.originX = ox; ray.originY = oy; ray.originZ = oz;
  ray.x = x; ray.y = y; ray.z = z;
  ray.stepX = stepX; ray.stepY = stepY; ray.stepZ = stepZ;
  ray.toPlaneX = nx; ray.toPlaneY = ny; ray.toPlaneZ = nz;
  ray.speedX = ax; ray.speedY = ay; ray.speedZ = az;
  ray.lastX = x + stepX * planesWithin(ax * endTime, nx);
  ray.lastY = y + stepY * planesWithin(ay * endTime, ny);
  ray.lastZ = z + stepZ * planesWithin(az * endTime, nz);
  ray.orderXY = orderOf(nx, ayHigh, ayLow, ny, axHigh, axLow);
  ray.orderXZ = orderOf(nx, azHigh, azLow, nz, axHigh, axLow);
  ray.orderYZ = orderOf(ny, azHigh, azLow, nz, ayHigh, ayLow);
  ray.endTime = endTime;
  return farthest + reach / UNITS < MAX_INDEX;
}

// Calls getVoxel() for the voxels on a ray until it answers. Returns the answer, and sets where the walk ends. Short,
// so that V8 compiles it into its caller, with getVoxel: that is half of its speed.
function walk(ray, getVoxel) {
  const stepX = ray.stepX | 0, stepY = ray.stepY | 0, stepZ = ray.stepZ | 0;
  const lastX = ray.lastX | 0, lastY = ray.lastY | 0, lastZ = ray.lastZ | 0;
  const ax = ray.speedX, ay = ray.speedY, az = ray.speedZ;
  let xy = ray.orderXY, xz = ray.orderXZ, yz = ray.orderYZ;
  let x = ray.x | 0, y = ray.y | 0, z = ray.z | 0, axis = -1, voxel = 0;
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
  ray.endX = x; ray.endY = y; ray.endZ = z; ray.axis = axis;
  return voxel;
}

// The same where indices have more than 32 bits.
function walkFar(ray, getVoxel) {
  const stepX = ray.stepX, stepY = ray.stepY, stepZ = ray.stepZ;
  const lastX = ray.lastX, lastY = ray.lastY, lastZ = ray.lastZ;
  const ax = ray.speedX, ay = ray.speedY, az = ray.speedZ;
  let xy = ray.orderXY, xz = ray.orderXZ, yz = ray.orderYZ;
  let x = ray.x, y = ray.y, z = ray.z, axis = -1, voxel = 0;
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
  ray.endX = x; ray.endY = y; ray.endZ = z; ray.axis = axis;
  return voxel;
}

// Sets where a ray that has been walked enters its last voxel, if that is a hit, or else where it ends.
function report(ray, isHit, hitPosition, hitNormal) {
  const axis = isHit ? ray.axis : -1, x = ray.endX, y = ray.endY, z = ray.endZ;
  // Units to the plane that it has crossed last, over the units of a step of time.
  let time = isHit ? 0 : ray.endTime;
  if (axis === 0) time = (ray.toPlaneX + (Math.abs(x - ray.x) - 1) * UNITS) / ray.speedX;
  if (axis === 1) time = (ray.toPlaneY + (Math.abs(y - ray.y) - 1) * UNITS) / ray.speedY;
  if (axis === 2) time = (ray.toPlaneZ + (Math.abs(z - ray.z) - 1) * UNITS) / ray.speedZ;
  if (hitPosition) {
    const voxels = time / UNITS;
    hitPosition[0] = axis === 0 ? (ray.stepX > 0 ? x : x + 1) : ray.originX + ray.stepX * ray.speedX * voxels;
    hitPosition[1] = axis === 1 ? (ray.stepY > 0 ? y : y + 1) : ray.originY + ray.stepY * ray.speedY * voxels;
    hitPosition[2] = axis === 2 ? (ray.stepZ > 0 ? z : z + 1) : ray.originZ + ray.stepZ * ray.speedZ * voxels;
  }
  if (hitNormal) {
    hitNormal[0] = axis === 0 ? (ray.stepX > 0 ? -1 : 1) : 0;
    hitNormal[1] = axis === 1 ? (ray.stepY > 0 ? -1 : 1) : 0;
    hitNormal[2] = axis === 2 ? (ray.stepZ > 0 ? -1 : 1) : 0;
  }
}

// Calls getVoxel(x, y, z) for the voxels along a ray, until it returns something other than 0, null,
// undefined or false, and returns that; 0 if the ray ends before, after `maxDistance` voxels' widths.
// `origin` and `direction` are arrays of three numbers; the direction may have any length. Sets
// hitPosition to where that voxel is entered, or to the end of the ray, and hitNormal to the face
// that it is entered through, zero for the first voxel; both may be left out. At exact edges and
// corners it crosses one axis after another, x before y before z. Throws a RangeError for a direction
// of zero, NaN, an infinite origin or direction, an origin that is too far away, and a negative
// distance; an infinite distance is allowed.
export function raycast(getVoxel, origin, direction, maxDistance = 64, hitPosition = undefined,
                        hitNormal = undefined) {
  if (depth === rays.length) rays.push(new Ray());
  const ray = rays[depth], isNear = prepare(ray, origin, direction, maxDistance);
  let voxel;
  ++depth;
  try {
    voxel = isNear ? walk(ray, getVoxel) : walkFar(ray, getVoxel);
  } finally {
    --depth;
  }
  if (hitPosition || hitNormal) report(ray, Boolean(voxel), hitPosition, hitNormal);
  return voxel || 0;
}
