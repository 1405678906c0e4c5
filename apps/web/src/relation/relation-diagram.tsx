import { Text, UnstyledButton } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useTexts } from "../i18n/texts.ts";
import type { Partner } from "./partners.ts";
import { layoutDiagram, diagramSizes } from "./diagram-layout.ts";
import { useStateDescription } from "./use-state-description.ts";
import classes from "./relation-diagram.module.css";

interface Props {
  partners: readonly Partner[];
  own: string;
  onOpen: (partner: Partner) => void;
}

/**
 * The own institution with a line to each partner: wider with more open orders, dashed while a request or a termination
 * is pending.
 */
export function RelationDiagram({ partners, own, onOpen }: Props) {
  const t = useTexts("relation");
  const { ref, width } = useElementSize();
  const layout = layoutDiagram(partners.length, width || diagramSizes.narrow);
  const sum = (key: "open" | "ours") => partners.reduce((total, { orders }) => total + orders[key], 0);
  return (
    <figure className={classes.picture}>
      <div ref={ref} className={classes.room} style={{ height: layout.height }}>
        <svg className={classes.lines} width={width} height={layout.height} aria-hidden>
          {layout.trunk && <path d={layout.trunk} className={classes.line} strokeWidth={1.5} />}
          {partners.map(({ id, state, orders }, at) => (
            <path
              key={id}
              d={layout.lines[at]}
              className={classes.line}
              data-open={state !== "established" || undefined}
              data-ours={orders.ours > 0 || undefined}
              strokeWidth={1.5 + Math.min(orders.open, 12) / 3}
            />
          ))}
        </svg>
        <div className={classes.own} style={{ insetInlineStart: layout.own.x, top: layout.own.y, ...diagramSizes.own }}>
          <Text fw={600} lineClamp={2} title={own}>
            {own}
          </Text>
        </div>
        <ul className={classes.list} aria-label={t("relation.picture")}>
          {partners.map((partner, at) => {
            const { x, y, width: cardWidth } = layout.cards[at]!;
            return (
              <li
                key={partner.id}
                className={classes.place}
                style={{ insetInlineStart: x, top: y, width: cardWidth, height: diagramSizes.card.height }}
              >
                <PartnerCard partner={partner} onOpen={onOpen} />
              </li>
            );
          })}
        </ul>
      </div>
      <figcaption className={classes.caption}>
        {t("relation.pictureText", { count: partners.length, open: sum("open"), ours: sum("ours") })}
      </figcaption>
    </figure>
  );
}

function PartnerCard({ partner, onOpen }: { partner: Partner; onOpen: (partner: Partner) => void }) {
  const t = useTexts("relation");
  const describeState = useStateDescription();
  const { other, state, orders } = partner;
  const stateLine = state === "established" ? t("relation.openOrders", { count: orders.open }) : describeState(partner);
  return (
    <UnstyledButton className={classes.card} data-kind={other.type} onClick={() => onOpen(partner)}>
      <span className={classes.letter} aria-hidden>
        {[...other.name][0] ?? ""}
      </span>
      <span className={classes.words}>
        <span className={classes.name} title={other.name} dir="auto">
          {other.name}
        </span>
        <span className={classes.says}>
          {stateLine}
          {orders.ours > 0 && <strong className={classes.ours}>{t("relation.toAct", { count: orders.ours })}</strong>}
        </span>
      </span>
    </UnstyledButton>
  );
}
