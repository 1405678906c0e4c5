import type { Relation } from "@arcada/contract/relation/relation.calls";
import type { RelationState } from "@arcada/contract/relation/relation.cycle";
import { useTexts } from "../kernel/texts.ts";
import classes from "./relation.module.css";

const size = { width: 760, height: 460, ring: { x: 270, y: 165 } } as const;
const drawn: readonly RelationState[] = ["established", "closing", "requested"];

/** The own organisation in the middle, a line to each with which it works; broken while a request or an end is under way. */
export function RelationPicture({ relations, own }: { relations: readonly Relation[]; own: string }) {
  const t = useTexts("relation");
  const shown = relations.filter(({ state }) => drawn.includes(state));
  const middle = { x: size.width / 2, y: size.height / 2 };
  const places = shown.map((relation, at) => {
    const turn = (at / shown.length) * 2 * Math.PI - Math.PI / 2;
    return { relation, x: middle.x + size.ring.x * Math.cos(turn), y: middle.y + size.ring.y * Math.sin(turn) };
  });
  return (
    <figure className={classes.picture}>
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={`${t("relation.picture")}: ${shown.map(({ other }) => other.name).join(", ")}`}
      >
        {places.map(({ relation, x, y }) => (
          <line
            key={relation.id}
            x1={middle.x}
            y1={middle.y}
            x2={x}
            y2={y}
            className={classes.line}
            data-open={relation.state !== "established" || undefined}
          />
        ))}
        {places.map(({ relation, x, y }) => (
          <Node
            key={relation.id}
            x={x}
            y={y}
            name={relation.other.name}
            says={t(`relation.state.${relation.state}`)}
            kind={relation.other.type}
          />
        ))}
        <Node x={middle.x} y={middle.y} name={own} kind="own" />
      </svg>
      <figcaption className={classes.caption}>{t("relation.pictureText")}</figcaption>
    </figure>
  );
}

function Node({
  x,
  y,
  name,
  says,
  kind,
}: {
  x: number;
  y: number;
  name: string;
  says?: string;
  kind: "own" | "clinic" | "lab";
}) {
  return (
    <g transform={`translate(${x} ${y})`} className={classes.node} data-kind={kind}>
      <circle r={kind === "own" ? 34 : 24} />
      <text y={5} className={classes.letter}>
        {[...name][0] ?? ""}
      </text>
      <text y={kind === "own" ? 54 : 42} className={classes.name}>
        {shortened(name)}
      </text>
      {says && (
        <text y={58} className={classes.says}>
          {says}
        </text>
      )}
    </g>
  );
}

/** Chinese letters are about twice as wide as Latin ones. */
function shortened(name: string): string {
  const letters = [...name];
  const most = /[\u2e80-\u9fff]/.test(name) ? 11 : 20;
  return letters.length <= most ? name : `${letters.slice(0, most - 1).join("")}…`;
}
