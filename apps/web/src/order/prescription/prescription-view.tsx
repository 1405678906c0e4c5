import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { formatList } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useToothNames } from "../../i18n/tooth-notation.ts";
import { Section } from "../../ui/page.tsx";
import { ToothChart, toothColours } from "../../ui/tooth-chart/tooth-chart.tsx";
import { itemText } from "../core/item-text.ts";
import classes from "../detail/order-detail.module.css";

type Prescribed = Pick<Order, "prescription" | "rxRevision">;

/** The prescription, on the tooth chart and in words. */
export function PrescriptionView({ order, actions }: { order: Prescribed; actions?: ReactNode }) {
  const t = useTexts("order");
  const teeth = useToothNames();
  const { items } = order.prescription;
  return (
    <Section
      title={t("order.detail.prescription")}
      actions={actions}
      {...(order.rxRevision > 1 && { description: t("order.detail.revisionOfRx", { number: order.rxRevision }) })}
    >
      <div className={items.length > 0 ? classes.prescription : undefined}>
        {items.length > 0 && (
          <ToothChart
            names={teeth}
            groups={items.map((item) => ({
              ...item,
              isBridge: item.kind === "bridge",
              isActive: true,
              restoration: itemText(t, item),
            }))}
          />
        )}
        <div>
          {items.length > 0 && (
            <ul className={classes.items}>
              {items.map((item, at) => (
                <ItemLine key={at} item={item} index={at} />
              ))}
            </ul>
          )}
          <PrescriptionFacts order={order} />
        </div>
      </div>
    </Section>
  );
}

function ItemLine({ item, index }: { item: Order["prescription"]["items"][number]; index: number }) {
  const t = useTexts("order");
  const teeth = useToothNames();
  return (
    <li className={classes.item} data-tooth-colour={index % toothColours}>
      <Text fw={600} size="sm" className="arcada-figures">
        {teeth.text(item.teeth)}
      </Text>
      <Text size="sm">{itemText(t, item)}</Text>
      {item.pontics.length > 0 && (
        <Text size="xs" c="dimmed">
          {t("order.item.pontics")}: {teeth.text(item.pontics)}
        </Text>
      )}
      {item.stumpShade && (
        <Text size="xs" c="dimmed">
          {t("order.item.stumpShade")}: {item.stumpShade}
        </Text>
      )}
      {item.remark && (
        <Text size="xs" className={classes.said}>
          {item.remark}
        </Text>
      )}
    </li>
  );
}

function PrescriptionFacts({ order: { prescription: rx } }: { order: Prescribed }) {
  const t = useTexts("order");
  const rows: [string, string | null][] = [
    [t("order.form.caseType"), t(`order.caseType.${rx.caseType}`)],
    [t("order.form.workKinds"), formatList(rx.workKinds.map((kind) => t(`order.workKind.${kind}`)))],
    [t("order.form.jaws"), formatList(rx.jaws.map((jaw) => t(`order.jaw.${jaw}`)))],
    [t("order.form.implantSystem"), rx.implantSystem],
    [t("order.form.fixType"), rx.fixType && t(`order.fixType.${rx.fixType}`)],
    [t("order.form.torque"), rx.torque === null ? null : String(rx.torque)],
    [t("order.form.gingiva"), rx.gingiva && t(`order.gingiva.${rx.gingiva}`)],
    [t("order.form.antagonist"), rx.antagonist && t(`order.antagonist.${rx.antagonist}`)],
    [t("order.form.sourceOrder"), rx.sourceOrder],
    [t("order.role.scheme"), t(rx.schemeRequired ? "order.detail.schemeWanted" : "order.detail.noScheme")],
    [t("order.form.instructions"), rx.instructions],
    [t("order.form.noDigitalFiles"), rx.noDigitalFiles ? t("order.detail.physical") : null],
  ];
  return (
    <dl className={classes.words}>
      {rows.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt>{label}</dt>
              <dd className={classes.said}>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
