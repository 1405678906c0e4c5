import { Button, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { chartCalls } from "@arcada/contract/chart/chart.calls";
import type { ShadeGuide } from "@arcada/contract/order/prescription.choices";
import { orderRules } from "@arcada/contract/order/order.rules";
import type { CaseType } from "@arcada/contract/order/order.rules";
import { useTexts } from "../../i18n/texts.ts";
import { useToothNames, useToothSchemes } from "../../i18n/tooth-notation.ts";
import { Section } from "../../ui/page.tsx";
import { useCall } from "../../data/use-call.ts";
import { ToothChart } from "../../ui/tooth-chart/tooth-chart.tsx";
import type { ToothCondition } from "../../ui/tooth-chart/tooth-chart.tsx";
import { ToothNotationSelect } from "../../ui/tooth-chart/tooth-notation-select.tsx";
import { ItemCard } from "./item-card.tsx";
import { addItem, changeItem, clickTooth, removeItem, spanBridge } from "./prescription-items.ts";
import type { ItemsState } from "./prescription-items.ts";
import { applyDefaults, noDefaults } from "../templates/fill-from-template.ts";
import type { ItemDefaults } from "../templates/fill-from-template.ts";
import { itemText } from "../core/item-text.ts";
import type { FormSectionProps } from "./form-section-props.ts";
import classes from "./order-form.module.css";

interface ItemsProps extends FormSectionProps {
  /** Defaults for the first item. */
  defaults?: ItemDefaults;
}
/** The tooth chart, and next to it the restoration of each group of teeth. */
export function ItemsSection(props: ItemsProps) {
  const t = useTexts("order");
  const schemes = useToothSchemes();
  return (
    <Section
      title={t("order.item.title")}
      description={t("order.chart.help")}
      actions={<ToothNotationSelect {...schemes} />}
    >
      <ChartWithItems {...props} />
    </Section>
  );
}

function ChartWithItems({ draft, change, error, defaults = noDefaults }: ItemsProps) {
  const t = useTexts("order");
  const teeth = useToothNames();
  const [active, setActive] = useState(draft.items.length - 1);
  const state: ItemsState = { items: draft.items, active: Math.min(active, draft.items.length - 1) };
  const move = (next: ItemsState) => {
    setActive(next.active);
    if (next.items === draft.items) return;
    const isFirstItem = draft.items.length === 0;
    change({ items: isFirstItem ? applyDefaults(next.items, defaults, draft.caseType) : next.items });
  };
  const conditions = usePatientTeeth(draft.patientId);
  const problem = error("items", "teeth", "kind", "material", "bridgeTeeth", "bridgeAbutments");
  return (
    <div className={classes.teeth}>
      <ToothChart
        names={teeth}
        groups={draft.items.map((item, at) => ({
          ...item,
          isBridge: item.kind === "bridge",
          isActive: at === state.active,
          restoration: itemText(t, item),
        }))}
        conditions={conditions}
        onTooth={(tooth) => move(clickTooth(state, tooth))}
        onSpan={(span) => move(spanBridge(state, span))}
      />
      <Stack gap="sm" miw={0}>
        {draft.items.length === 0 && (
          <Text size="sm" c="dimmed" className={classes.hint}>
            {t("order.item.none")}
          </Text>
        )}
        <ItemCards
          state={state}
          caseType={draft.caseType}
          guide={defaults.shadeGuide}
          isTried={problem !== undefined}
          onMove={move}
        />
        {problem && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert" data-problem tabIndex={-1}>
            {problem}
          </Text>
        )}
        {draft.items.length > 0 && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={draft.items.length >= orderRules.maxItems}
            onClick={() => move(addItem(state))}
          >
            {t("order.item.add")}
          </Button>
        )}
      </Stack>
    </div>
  );
}

/** The teeth that the patient's chart knows to be missing or replaced by an implant. */
function usePatientTeeth(patientId: string): ReadonlyMap<number, ToothCondition> {
  const { data } = useCall(chartCalls.detail, { patientId }, { enabled: patientId !== "" });
  return new Map(
    (data?.content.teeth ?? []).flatMap(({ fdi, presence }): [number, ToothCondition][] =>
      presence === "missing" || presence === "pontic"
        ? [[fdi, "missing"]]
        : presence === "implant"
          ? [[fdi, "implant"]]
          : [],
    ),
  );
}

interface CardsProps {
  state: ItemsState;
  caseType: CaseType;
  guide: ShadeGuide | null;
  isTried: boolean;
  onMove: (next: ItemsState) => void;
}
const ItemCards = ({ state, caseType, guide, isTried, onMove }: CardsProps) =>
  state.items.map((item, at) => (
    <ItemCard
      key={at}
      item={item}
      index={at}
      caseType={caseType}
      guide={guide}
      isActive={at === state.active}
      isTried={isTried}
      onActivate={() => onMove({ ...state, active: at })}
      onChange={(part) => onMove(changeItem({ ...state, active: at }, at, part))}
      onRemove={() => onMove(removeItem(state, at))}
    />
  ));
