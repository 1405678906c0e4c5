import type { ReactNode } from "react";
import styles from "./viewport-corner.module.css";

interface Props {
  at: "topLeft" | "topRight" | "bottomLeft" | "bottomRight";
  /** Leaves space for a slider under it. */
  isRaised?: boolean;
  /** Leaves space for a ruler over it. */
  isLowered?: boolean;
  children: ReactNode;
}

/** Text over an image that never catches the pointer. */
export const ViewportCorner = ({ at, isRaised, isLowered, children }: Props) => (
  <div
    className={`${styles.corner} ${styles[at] ?? ""} ${isRaised ? (styles.raised ?? "") : ""} ${isLowered ? (styles.lowered ?? "") : ""}`}
  >
    {children}
  </div>
);
