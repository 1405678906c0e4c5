import type { Orientation } from "@arcada/imaging/orientation/scan-orientation";
import type { ModelCamera, CameraViewName } from "@arcada/imaging/view/model-camera";
import { toPatientDirection } from "@arcada/imaging/geometry/patient-frame";
import { times } from "@arcada/imaging/geometry/vector";
import { OrientationCube } from "../../ui/viewport/orientation-cube.tsx";
import { OrientationLetters } from "../../ui/viewport/orientation-letters.tsx";

interface Props {
  camera: ModelCamera;
  orientation: Orientation;
  onView: (view: CameraViewName) => void;
}

/** The patient's sides at the edges and on a cube. None if they are unknown: a wrong letter is worse than none. */
export function SceneOrientationMarkers({ camera, orientation: { frame, isKnown }, onView }: Props) {
  if (!isKnown) return null;
  const [right, up, eye] = [camera.right, camera.up, camera.eye].map((direction) =>
    toPatientDirection(frame, direction),
  );
  if (!right || !up || !eye) return null;
  return (
    <>
      <OrientationLetters plane={{ right, down: times(up, -1) }} />
      <OrientationCube camera={{ ...camera, right, up, eye }} onView={onView} />
    </>
  );
}
