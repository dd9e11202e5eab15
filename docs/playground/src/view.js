// SPDX-License-Identifier: Apache-2.0
// The picture: camera, sky, sun and shadow, the layers of the world, entities, and the frames.

import * as THREE from "three";
import { Blocks } from "./terrain.js";

// Up to this distance from the middle of the shadows, in nodes, caves with some light are open to the sun.
const SHADOW_MID = 36;
const SKY = 0xb4d0ea, HAZE = 0xc8dbe9;

export class View {
  #needsShadow = false;
  #wasExtra = false;
  // A camera that sees nothing, and where it draws that.
  #blind = new THREE.OrthographicCamera(-0.01, 0.01, 0.01, -0.01, 0, 0.01);
  #nothing = new THREE.WebGLRenderTarget(1, 1);
  // parent: the element that the canvas fills. isPlain: no shadow and no smoothing, for tests and slow machines.
  constructor(parent, { isPlain = false } = {}) {
    this.parent = parent;
    this.renderer = new THREE.WebGLRenderer({ antialias: !isPlain, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(isPlain ? 1 : Math.min(window.devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = !isPlain;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 1.1;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", "The world. Keys: W A S D fly, arrows look, Enter shoots at the middle, H shows help.");
    parent.prepend(this.canvas);
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(SKY);
    this.scene.fog = new THREE.Fog(HAZE, 130, 430);
    this.camera = new THREE.PerspectiveCamera(66, 1, 0.1, 900);
    this.camera.rotation.order = "YXZ";
    this.scene.add(new THREE.HemisphereLight(0xd3e4ff, 0x9c8e78, 2.3));
    this.sun = new THREE.DirectionalLight(0xfff0d8, 2.2);
    this.scene.add(this.sun, this.sun.target);
    // Counts what all passes of a frame draw, and not the last one alone.
    this.renderer.info.autoReset = false;
    this.counts = { triangles: 0, calls: 0 };
    this.most = 0;
    this.#blind.position.set(0, 5000, 0);
    this.#blind.updateMatrixWorld();
    this.isDirty = true;
    new ResizeObserver(() => this.resize()).observe(parent);
    this.resize();
  }
  resize() {
    const { clientWidth: width, clientHeight: height } = this.parent;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // A phone held upright would see a slit: keep at least 50 degrees across.
    const across = (50 * Math.PI) / 180;
    this.camera.fov = Math.max(66, (360 / Math.PI) * Math.atan(Math.tan(across / 2) / this.camera.aspect));
    this.camera.fov = Math.min(this.camera.fov, 85);
    this.camera.updateProjectionMatrix();
    this.isDirty = true;
  }
  setTerrain(terrain) {
    this.terrain = terrain;
    this.scene.add(terrain.group);
  }
  setSun({ center, radius, direction }) {
    const length = Math.hypot(...direction), shadow = this.sun.shadow;
    this.sun.target.position.set(...center);
    this.sun.position.set(...center.map((part, i) => part + (direction[i] / length) * 2 * radius));
    this.sun.castShadow = true;
    // Phones have less memory: 16 MB of depths in place of 64.
    shadow.mapSize.setScalar(matchMedia("(pointer: coarse)").matches ? 2048 : 4096);
    Object.assign(shadow.camera, { left: -radius, right: radius, top: radius, bottom: -radius, near: 1, far: 4 * radius });
    shadow.camera.updateProjectionMatrix();
    shadow.bias = -0.0005;
    shadow.normalBias = 0.05;
  }
  // Draws the shadows again, in a frame to come.
  updateShadow() {
    this.#needsShadow = this.renderer.shadowMap.enabled;
    this.isDirty = true;
  }
  addBlocks(color, width, origin) {
    const blocks = new Blocks(color, width, origin);
    this.scene.add(blocks.mesh);
    return blocks;
  }
  // Returns the objects of entities.
  addEntities(entities) {
    return entities.map(({ position, radius, halfExtents, color, id }) => {
      const geometry = radius ? new THREE.SphereGeometry(radius, 24, 16) : new THREE.BoxGeometry(...halfExtents.map((part) => 2 * part));
      const mesh = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color, emissive: color, emissiveIntensity: 0.12 }));
      mesh.position.set(...position);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.userData.id = id;
      this.scene.add(mesh);
      return mesh;
    });
  }

  // Returns [x, y, z, yaw, pitch].
  getCamera() {
    const { position: p, rotation: r } = this.camera;
    return [p.x, p.y, p.z, r.y, r.x];
  }
  setCamera([x, y, z, yaw, pitch]) {
    this.camera.position.set(x, y, z);
    this.camera.rotation.set(pitch, yaw, 0);
    this.camera.updateMatrixWorld();
    this.isDirty = true;
  }
  // Returns where the camera has to look to see a point from another one: [x, y, z, yaw, pitch].
  static towards(from, to) {
    const d = to.map((part, i) => part - from[i]);
    return [...from, Math.atan2(-d[0], -d[2]), Math.atan2(d[1], Math.hypot(d[0], d[2]))];
  }
  // Returns the direction of a point of the picture, x and y from -1 to 1.
  directionOf(x, y) {
    this.camera.updateMatrixWorld();
    return new THREE.Vector3(x, y, 0.5).unproject(this.camera).sub(this.camera.position).normalize().toArray();
  }

  // Draws a frame if anything has changed. side: the view from the side, or null. Shadows and sections, which are drawn only
  // if they have changed, have frames of their own, between which the picture stays: no frame draws everything at once.
  render(side) {
    if (!this.isDirty) return false;
    const { info } = this.renderer;
    info.reset();
    if (!this.#wasExtra && (this.#needsShadow || side?.isPending(this))) {
      this.#wasExtra = true;
      if (this.#needsShadow) this.#drawShadow();
      else {
        this.terrain?.selectAll("near");
        side.drawSection(this);
      }
    } else {
      this.#wasExtra = false;
      this.terrain?.select(this.camera.position.toArray());
      this.renderer.render(this.scene, this.camera);
      side?.draw(this);
      this.isDirty = this.#needsShadow || (side?.isPending(this) ?? false);
    }
    this.counts = { triangles: info.render.triangles, calls: info.render.calls };
    this.most = Math.max(this.most, this.counts.triangles);
    return true;
  }
  // Draws the shadow map, and nothing that a camera sees.
  #drawShadow() {
    this.#needsShadow = false;
    this.terrain?.select(this.sun.target.position.toArray(), 0, SHADOW_MID);
    this.renderer.shadowMap.needsUpdate = true;
    this.renderer.setRenderTarget(this.#nothing);
    this.renderer.render(this.scene, this.#blind);
    this.renderer.setRenderTarget(null);
  }
}
