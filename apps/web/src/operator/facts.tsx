import type { ReactNode } from "react";
import classes from "./operator.module.css";

/** Names and what belongs to each. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="arcada-figures">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
