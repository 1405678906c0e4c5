import type { ReactNode } from "react";
import styles from "./corner.module.css";

interface Props {
  at: "topLeft" | "topRight" | "bottomLeft" | "bottomRight";
  /** Leaves room for a slider under it. */
  isRaised?: boolean;
  /** Leaves room for a ruler over it. */
  isLowered?: boolean;
  children: ReactNode;
}

/** Words over an image that never catch the pointer. */
export const Corner = ({ at, isRaised, isLowered, children }: Props) => (
  <div
    className={`${styles.corner} ${styles[at] ?? ""} ${isRaised ? (styles.raised ?? "") : ""} ${isLowered ? (styles.lowered ?? "") : ""}`}
  >
    {children}
  </div>
);
