// SPDX-License-Identifier: Apache-2.0
// The shot from the side, in a corner of the picture: a section of the world just before the line. Drawn again only when
// the shot or the world has changed; other frames show its texture.

import * as THREE from "three";
import { sectionOf } from "./section.js";

// How far before the line the world is cut, in nodes: all blocks that the line crosses stay whole.
const CUT = 1.5;
const DEPTH = 30;

// Gives numbers and lines a size that suits a section. Returns a function that takes it back.
function resized(scene, halfHeight) {
  const changed = [];
  scene.traverse((object) => {
    if (object.userData.hasSize) return;
    const factor = object.isSprite ? halfHeight * 0.16 : Math.max(1, (halfHeight * 0.012) / (object.userData.radius ?? Infinity));
    if (!object.isSprite && !object.userData.radius) return;
    changed.push([object, object.scale.clone()]);
    if (object.isSprite) object.scale.setScalar(factor);
    else object.scale.set(factor, 1, factor);
  });
  return () => changed.forEach(([object, scale]) => object.scale.copy(scale));
}

export class SideView {
  // frame: the element under which the picture is drawn.
  constructor(frame) {
    this.frame = frame;
    this.camera = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, DEPTH + CUT);
    this.target = new THREE.WebGLRenderTarget(8, 8, { type: THREE.HalfFloatType, samples: 4 });
    const material = new THREE.MeshBasicMaterial({ map: this.target.texture, depthTest: false, depthWrite: false });
    this.quad = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material);
    this.screen = new THREE.Scene();
    this.screen.add(this.quad);
    this.screenCamera = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1);
    this.isStale = true;
    this.points = null;
  }
  get isShown() {
    return this.points !== null && this.frame.clientWidth > 0;
  }
  // Shows the line through these points, or nothing for null.
  show(points) {
    this.points = points;
    this.isStale = true;
  }
  // Returns true if the section has to be drawn.
  isPending(view) {
    if (!this.isShown) return false;
    const { clientWidth: width, clientHeight: height } = this.frame, ratio = view.renderer.getPixelRatio();
    if (this.target.width !== Math.round(width * ratio) || this.target.height !== Math.round(height * ratio)) {
      this.target.setSize(Math.round(width * ratio), Math.round(height * ratio));
      this.isStale = true;
    }
    return this.isStale;
  }
  // Draws the section.
  drawSection(view) {
    this.isStale = false;
    const { clientWidth: width, clientHeight: height } = this.frame;
    const { center, toEye, halfWidth, halfHeight } = sectionOf(this.points, width / height);
    Object.assign(this.camera, { left: -halfWidth, right: halfWidth, top: halfHeight, bottom: -halfHeight });
    this.camera.position.set(...center.map((part, i) => part + CUT * toEye[i]));
    this.camera.lookAt(...center);
    this.camera.updateProjectionMatrix();
    const { renderer, scene } = view, { fog } = scene, restore = resized(scene, halfHeight);
    scene.fog = null;
    renderer.setRenderTarget(this.target);
    renderer.render(scene, this.camera);
    renderer.setRenderTarget(null);
    scene.fog = fog;
    restore();
  }
  // Draws the texture under the frame.
  draw({ renderer, canvas }) {
    if (!this.isShown) return;
    const box = this.frame.getBoundingClientRect(), all = canvas.getBoundingClientRect();
    const corner = [box.left - all.left, all.bottom - box.bottom, box.width, box.height];
    renderer.setScissorTest(true);
    renderer.setScissor(...corner);
    renderer.setViewport(...corner);
    renderer.autoClear = false;
    renderer.render(this.screen, this.screenCamera);
    renderer.autoClear = true;
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, all.width, all.height);
  }
}
