import {
  AmbientLight,
  Box3,
  DirectionalLight,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { STLLoader } from "three/addons/loaders/STLLoader.js";

// The minimum that shows a scan: the library's own loader, a light from the camera, one image.
const geometry = await new STLLoader().loadAsync(new URLSearchParams(location.search).get("scan"));
const model = new Mesh(geometry, new MeshStandardMaterial({ color: "#d8c9a8" }));
const renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const box = new Box3().setFromObject(model);
const camera = new PerspectiveCamera(30, innerWidth / innerHeight, 1, 2000);
const middle = box.getCenter(new Vector3());
camera.position.copy(middle).add(new Vector3(0, -200, 80));
camera.up.set(0, 0, 1);
camera.lookAt(middle);
const lamp = new DirectionalLight("#ffffff", 2);
lamp.position.copy(camera.position);
const scene = new Scene().add(model, lamp, new AmbientLight("#ffffff", 0.6));
renderer.render(scene, camera);
