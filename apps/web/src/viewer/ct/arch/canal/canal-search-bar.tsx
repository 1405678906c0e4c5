import type { Arch } from "../use-arch.ts";
import { CanalSearch } from "./canal-search.tsx";
import styles from "./canal-search-bar.module.css";

/** The search for a canal over the viewports, for users who have no panel open. */
export function CanalSearchBar({ arch: { canalTracing } }: { arch: Arch }) {
  const isShown = [canalTracing.running, canalTracing.failure, canalTracing.asked].some((state) => state !== null);
  return (
    <div role="status" className={styles.place}>
      {isShown && (
        <div className={styles.bar}>
          <CanalSearch tracing={canalTracing} />
        </div>
      )}
    </div>
  );
}
