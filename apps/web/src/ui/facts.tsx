import type { ReactNode } from "react";
import classes from "./facts.module.css";

interface Props {
  of: readonly (readonly [name: string, value: ReactNode])[];
  /** Short values: two side by side on a telephone. */
  dense?: boolean;
}

/** Names and what belongs to each. Telephone numbers and addresses keep their order on a page from right to left. */
export function Facts({ of, dense = false }: Props) {
  return (
    <dl className={classes.facts} data-dense={dense || undefined}>
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="arcada-figures">
            <bdi>{value === null || value === undefined || value === "" ? "–" : value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
