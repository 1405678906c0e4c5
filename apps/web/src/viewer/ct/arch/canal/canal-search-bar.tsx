import type { Arch } from "../use-arch.ts";
import { CanalSearch } from "./canal-search.tsx";
import type { CanalTracing } from "./use-canal-tracing.ts";
import styles from "./canal-search-bar.module.css";

/** The search for a canal at the foot of the image, where prompts are, for users who have no panel open. */
export const CanalSearchBar = ({ arch: { canalTracing } }: { arch: Arch }) => (
  <div role="status" className={styles.place}>
    {isShownOverImage(canalTracing) && (
      <div className={styles.bar}>
        <CanalSearch tracing={canalTracing} />
      </div>
    )}
  </div>
);

/** True while the bar stands where the prompt of a tool would, or a question says what the next click means. */
export const hidesToolPrompt = (tracing: CanalTracing): boolean => tracing.asked !== null || isShownOverImage(tracing);

const isShownOverImage = ({ running, failure, asked, isShownInPanel }: CanalTracing): boolean =>
  !isShownInPanel && [running, failure, asked].some((state) => state !== null);
