import type { ModelCamera, CameraViewName } from "@arcada/imaging/view/model-camera";
import { dot, type Vector } from "@arcada/imaging/geometry/vector";
import styles from "./orientation.module.css";

const faces: readonly { letter: string; view: CameraViewName; normal: Vector; across: Vector; along: Vector }[] = [
  { letter: "A", view: "front", normal: [0, -1, 0], across: [1, 0, 0], along: [0, 0, 1] },
  { letter: "P", view: "back", normal: [0, 1, 0], across: [1, 0, 0], along: [0, 0, 1] },
  { letter: "R", view: "right", normal: [-1, 0, 0], across: [0, 1, 0], along: [0, 0, 1] },
  { letter: "L", view: "left", normal: [1, 0, 0], across: [0, 1, 0], along: [0, 0, 1] },
  { letter: "H", view: "lower", normal: [0, 0, 1], across: [1, 0, 0], along: [0, 1, 0] },
  { letter: "F", view: "upper", normal: [0, 0, -1], across: [1, 0, 0], along: [0, 1, 0] },
];
const half = 18;

/**
 * Shows the side of the patient that is seen by a camera in patient space. The buttons of views do the same by
 * keyboard.
 */
export function OrientationCube({ camera, onView }: { camera: ModelCamera; onView: (view: CameraViewName) => void }) {
  const spot = (x: number, y: number, z: number): string =>
    `${(dot([x, y, z], camera.right) * half).toFixed(1)},${(-dot([x, y, z], camera.up) * half).toFixed(1)}`;
  return (
    <svg className={styles.cube} viewBox="-34 -34 68 68" aria-hidden data-holds-press>
      {faces
        .filter(({ normal }) => dot(normal, camera.eye) > 0.02)
        .map(({ letter, view, normal, across, along }) => {
          const corners = [
            [1, 1],
            [1, -1],
            [-1, -1],
            [-1, 1],
          ].map(([a = 0, b = 0]) =>
            spot(
              normal[0] + a * across[0] + b * along[0],
              normal[1] + a * across[1] + b * along[1],
              normal[2] + a * across[2] + b * along[2],
            ),
          );
          return (
            <g key={letter} onClick={() => onView(view)}>
              <polygon className={styles.face} points={corners.join(" ")} />
              <text
                className={styles.faceLetter}
                x={dot(normal, camera.right) * half}
                y={-dot(normal, camera.up) * half}
                opacity={Math.min(1, 2 * dot(normal, camera.eye))}
              >
                {letter}
              </text>
            </g>
          );
        })}
    </svg>
  );
}
