import { Text, UnstyledButton } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useTexts } from "../kernel/texts.ts";
import type { Partner } from "./partners.ts";
import { placesOf, sizes } from "./picture-places.ts";
import { useStateWords } from "./state-words.ts";
import classes from "./relation-picture.module.css";

interface Props {
  partners: readonly Partner[];
  own: string;
  onOpen: (partner: Partner) => void;
}

/**
 * The own institution with a line to each partner: wider with more open orders, dashed while a request or a termination
 * is pending.
 */
export function RelationPicture({ partners, own, onOpen }: Props) {
  const t = useTexts("relation");
  const { ref, width } = useElementSize();
  const places = placesOf(partners.length, width || sizes.narrow);
  const sum = (key: "open" | "ours") => partners.reduce((total, { orders }) => total + orders[key], 0);
  return (
    <figure className={classes.picture}>
      <div ref={ref} className={classes.room} style={{ height: places.height }}>
        <svg className={classes.lines} width={width} height={places.height} aria-hidden>
          {places.trunk && <path d={places.trunk} className={classes.line} strokeWidth={1.5} />}
          {partners.map(({ id, state, orders }, at) => (
            <path
              key={id}
              d={places.lines[at]}
              className={classes.line}
              data-open={state !== "established" || undefined}
              data-ours={orders.ours > 0 || undefined}
              strokeWidth={1.5 + Math.min(orders.open, 12) / 3}
            />
          ))}
        </svg>
        <div className={classes.own} style={{ insetInlineStart: places.own.x, top: places.own.y, ...sizes.own }}>
          <Text fw={600} lineClamp={2} title={own}>
            {own}
          </Text>
        </div>
        <ul className={classes.list} aria-label={t("relation.picture")}>
          {partners.map((partner, at) => {
            const { x, y, width: wide } = places.cards[at]!;
            return (
              <li
                key={partner.id}
                className={classes.place}
                style={{ insetInlineStart: x, top: y, width: wide, height: sizes.card.height }}
              >
                <Card partner={partner} onOpen={onOpen} />
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

function Card({ partner, onOpen }: { partner: Partner; onOpen: (partner: Partner) => void }) {
  const t = useTexts("relation");
  const stateWords = useStateWords();
  const { other, state, orders } = partner;
  const says = state === "established" ? t("relation.openOrders", { count: orders.open }) : stateWords(partner);
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
          {says}
          {orders.ours > 0 && <strong className={classes.ours}>{t("relation.toAct", { count: orders.ours })}</strong>}
        </span>
      </span>
    </UnstyledButton>
  );
}
