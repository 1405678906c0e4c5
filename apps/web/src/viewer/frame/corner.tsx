import type { ReactNode } from "react";
import styles from "./corner.module.css";

/** Words over an image that never catch the pointer. */
export const Corner = ({ at, children }: { at: "topLeft" | "topRight" | "bottomLeft" | "bottomRight"; children: ReactNode }) => (
  <div className={`${styles.corner} ${styles[at] ?? ""}`}>{children}</div>
);
