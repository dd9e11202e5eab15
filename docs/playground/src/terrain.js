// SPDX-License-Identifier: Apache-2.0
// The map as three.js draws it: regions of merged faces, whose shader looks up the type and the light of a node.

import * as THREE from "three";

// Regions nearer than these, in nodes, are drawn with all of their caves and plants, and with those that have some light.
const NEAR = 24, MID = 80;

// What the shaders of all materials share: varyings in the space of the map, a grain of 16 x 16 pixels a node.
const VERTEX = ["#include <common>\nvarying vec3 vPlace;\nvarying vec3 vFlat;", "#include <begin_vertex>\nvPlace = position;\nvFlat = normal;"];
const COMMON = `#include <common>
uniform sampler3D nodeTypes;
uniform sampler3D nodeLight;
uniform sampler2D palette;
uniform vec3 mapLow;
uniform vec3 mapSize;
varying vec3 vPlace;
varying vec3 vFlat;
float grain(vec3 p) { p = fract(p * vec3(0.1031, 0.1030, 0.0973)); p += dot(p, p.yxz + 33.33); return fract((p.x + p.y) * p.z); }
float lightNear(vec3 p) { return texture(nodeLight, (p - mapLow) / mapSize).r; }
vec3 colorOf(vec3 p) {
  ivec3 node = clamp(ivec3(floor(p - mapLow)), ivec3(0), ivec3(mapSize) - 1);
  int type = int(texelFetch(nodeTypes, node, 0).r * 255.0 + 0.5);
  return texelFetch(palette, ivec2(type, 0), 0).rgb;
}`;
const COLOR = `#include <color_fragment>
vec3 inside = vPlace - 0.01 * vFlat;
float away = smoothstep(30.0, 90.0, length(vPlace - cameraPosition));
float pixel = mix(grain(floor(inside * 16.0)), 0.5, away);
float block = grain(floor(inside) + 7.0);
diffuseColor.rgb *= colorOf(inside) * (1.0 + GRAIN * (pixel - 0.5) + 0.08 * (block - 0.5));`;
// Light that comes from the sky reaches what the sun does not.
const SHADE = `#include <aomap_fragment>
float daylight = lightNear(vPlace + 0.5 * vFlat);
reflectedLight.indirectDiffuse *= 0.28 + 0.72 * daylight;
reflectedLight.directDiffuse *= smoothstep(0.02, 0.3, daylight);`;
// The inside of the ground, which the view from the side cuts.
const CUT = `#include <opaque_fragment>
if (!gl_FrontFacing) gl_FragColor = vec4(0.055, 0.05, 0.046, 1.0);`;
const GLASS = `${COLOR}
vec3 part = abs(fract(inside) - 0.5) * (1.0 - abs(vFlat));
float frame = step(0.44, max(part.x, max(part.y, part.z)));
diffuseColor.a = mix(0.16, 0.75, frame);`;
const BLADES = `${COLOR.replace("vPlace - 0.01 * vFlat", "vPlace - vec3(0.0, 0.01, 0.0)")}
vec3 blade = floor(vec3(inside.x, 0.0, inside.z) * 16.0);
if (fract(inside.y) > 0.25 + 0.8 * grain(blade) || grain(blade + 3.0) < 0.35) discard;`;

function patched(material, uniforms, color, { grain, shade = SHADE, cut = false }) {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader.replace("#include <common>", VERTEX[0]).replace("#include <begin_vertex>", VERTEX[1]);
    let text = shader.fragmentShader.replace("#include <common>", COMMON)
      .replace("#include <color_fragment>", color.replace("GRAIN", grain.toFixed(2))).replace("#include <aomap_fragment>", shade);
    if (cut) text = text.replace("#include <opaque_fragment>", CUT);
    shader.fragmentShader = text;
  };
  material.customProgramCacheKey = () => color + grain + cut;
  return material;
}

function texture3D(bytes, size, filter) {
  const texture = new THREE.Data3DTexture(bytes, ...size);
  texture.format = THREE.RedFormat;
  texture.type = THREE.UnsignedByteType;
  texture.minFilter = texture.magFilter = filter;
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  return texture;
}

export function geometryOf({ positions, normals, indices }) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3, true));
  geometry.setIndex(new THREE.BufferAttribute(indices, 1));
  return geometry;
}

export class Terrain {
  // grid: of nodes. colors: of each type, [r, g, b], sRGB, 0 to 255.
  constructor(grid, colors) {
    this.group = new THREE.Group();
    this.regions = [];
    const palette = new Uint8Array(1024);
    colors.forEach((color, type) => palette.set([...color, 255], 4 * type));
    const table = new THREE.DataTexture(palette, 256, 1);
    table.colorSpace = THREE.SRGBColorSpace;
    table.needsUpdate = true;
    this.types = texture3D(grid.ids, grid.size, THREE.NearestFilter);
    this.light = texture3D(new Uint8Array(grid.ids.length).fill(255), grid.size, THREE.LinearFilter);
    const uniforms = {
      nodeTypes: { value: this.types }, nodeLight: { value: this.light }, palette: { value: table },
      mapLow: { value: new THREE.Vector3(...grid.low) }, mapSize: { value: new THREE.Vector3(...grid.size) },
    };
    const lambert = (given) => new THREE.MeshLambertMaterial(given);
    this.materials = {
      opaque: patched(lambert({ side: THREE.DoubleSide, shadowSide: THREE.BackSide }), uniforms, COLOR, { grain: 0.2, cut: true }),
      water: patched(lambert({ transparent: true, opacity: 0.66, depthWrite: false, side: THREE.DoubleSide }), uniforms, COLOR, { grain: 0.05 }),
      glass: patched(lambert({ transparent: true, depthWrite: false, side: THREE.DoubleSide }), uniforms, GLASS, { grain: 0 }),
      plants: patched(lambert({ side: THREE.DoubleSide }), uniforms, BLADES, { grain: 0.2 }),
    };
  }
  setLight(bytes) {
    this.light.image.data.set(bytes);
    this.light.needsUpdate = true;
  }
  // Takes over edits: the grid, which is the data of the texture of types, has them already.
  update(lights) {
    for (const [i, light] of lights) this.light.image.data[i] = light;
    this.light.needsUpdate = this.types.needsUpdate = true;
  }
  // Replaces the meshes of a region: name is "near", "mid" or "far".
  setRegion(index, name, meshes, { min, max }) {
    const region = (this.regions[index] ??= { min, max });
    if (region[name]) {
      this.group.remove(region[name]);
      for (const mesh of region[name].children) mesh.geometry.dispose();
    }
    const group = region[name] = new THREE.Group();
    for (const [kind, arrays] of Object.entries(meshes)) {
      if (kind === "plants" && name !== "near") continue;
      const mesh = new THREE.Mesh(geometryOf(arrays), this.materials[kind]);
      mesh.castShadow = kind === "opaque";
      mesh.receiveShadow = true;
      mesh.renderOrder = kind === "water" ? 1 : kind === "glass" ? 2 : 0;
      mesh.matrixAutoUpdate = false;
      group.add(mesh);
    }
    this.group.add(group);
  }
  // Shows of each region what `wanted(region)` names, or what there is.
  #show(wanted) {
    for (const region of this.regions) {
      if (region === undefined) continue;
      const shown = region[wanted(region)] ?? region.near ?? region.mid ?? region.far;
      for (const name of ["near", "mid", "far"]) if (region[name]) region[name].visible = region[name] === shown;
    }
  }
  // Shows what the distance from an eye, in nodes, asks for.
  select(eye, near = NEAR, mid = MID) {
    this.#show(({ min, max }) => {
      const away = Math.hypot(...eye.map((part, axis) => Math.max(min[axis] - part, 0, part - max[axis])));
      return away < near ? "near" : away < mid ? "mid" : "far";
    });
  }
  // Shows the same of all regions.
  selectAll(name) {
    this.#show(() => name);
  }
}

// A grid of one type of cubes, `width` nodes wide: far land, sculptures.
export class Blocks {
  constructor(color, width, origin) {
    const material = new THREE.MeshLambertMaterial({ color, side: THREE.DoubleSide, shadowSide: THREE.BackSide });
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.mesh.position.set(...origin);
    this.mesh.scale.setScalar(width);
    this.mesh.castShadow = width < 1;
    this.mesh.receiveShadow = width < 1;
  }
  setMesh(arrays) {
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometryOf(arrays);
  }
}
