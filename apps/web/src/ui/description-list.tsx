import type { ReactNode } from "react";
import classes from "./description-list.module.css";

interface Props {
  entries: readonly (readonly [name: string, value: ReactNode])[];
  /** Shows short values in two columns on a telephone. */
  dense?: boolean;
}

/** Labels with their values. Telephone numbers and addresses stay left-to-right on a right-to-left page. */
export function DescriptionList({ entries, dense = false }: Props) {
  return (
    <dl className={classes.facts} data-dense={dense || undefined}>
      {entries.map(([name, value]) => (
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
