import { Button, Checkbox, Group, NativeSelect, SegmentedControl, Stack, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { ComponentType } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { useTexts } from "../../i18n/texts.ts";
import { Section } from "../../ui/page.tsx";
import { CompareDocuments } from "./compare-revision-documents.tsx";
import { compareSides, matchModels } from "./comparison-sides.ts";
import type { ComparePair, CompareSide } from "./comparison-sides.ts";
import { listModels, scansSetId } from "./model-sets.ts";
import type { SceneFile } from "./model-sets.ts";
import type { RenewUrls, SceneProps } from "./order-models.tsx";
import type { OrderPins } from "./use-order-pins.ts";
import classes from "../detail/order-detail.module.css";

/** The props of the component that draws two sets of models side by side. The page provides the component. */
export interface PairProps {
  left: { label: string; models: readonly SceneFile[] };
  right: { label: string; models: readonly SceneFile[] };
  renew: RenewUrls;
}
interface CompareProps {
  order: Order;
  Scene: ComponentType<SceneProps>;
  Pair: ComponentType<PairProps>;
  renew: RenewUrls;
  pins: OrderPins;
  pair: ComparePair;
  onPair: (pair: ComparePair | null) => void;
}

const comparisonModes = ["beside", "distance", "papers"] as const;
type ComparisonMode = (typeof comparisonModes)[number];

/** Compares any two revisions, or a revision and the scans: side by side, or by their distances. */
export function OrderCompare({ order, Scene, Pair, renew, pins, pair, onPair }: CompareProps) {
  const t = useTexts("order", "orderDetail");
  const containerRef = useRef<HTMLDivElement>(null);
  const [requestedMode, setRequestedMode] = useState<ComparisonMode>("beside");
  // A browser may return a promise here, which must not be the return value of an effect.
  useEffect(() => {
    containerRef.current?.scrollIntoView({ block: "start", behavior: "smooth" });
  }, []);
  const sides = compareSides(order, t);
  const left = sides.find(({ id }) => id === pair.left);
  const right = sides.find(({ id }) => id === pair.right);
  if (!left || !right) return null;
  const availableModes = getAvailableModes(left, right);
  const way = availableModes.includes(requestedMode) ? requestedMode : availableModes[0];
  const choose = (side: "left" | "right") => (id: string) => onPair({ ...pair, [side]: id });
  return (
    <Section
      title={t("orderDetail.compare.title")}
      actions={
        <Button size="xs" variant="default" onClick={() => onPair(null)}>
          {t("orderDetail.compare.end")}
        </Button>
      }
    >
      <Stack gap="sm" ref={containerRef} className={classes.stage!}>
        <div className={classes.compareHead}>
          <SideChoice label={t("orderDetail.compare.left")} sides={sides} side={left} onChoose={choose("left")} />
          <SideChoice label={t("orderDetail.compare.right")} sides={sides} side={right} onChoose={choose("right")} />
          {availableModes.length > 1 && way && (
            <SegmentedControl
              size="sm"
              aria-label={t("orderDetail.compare.way")}
              data={availableModes.map((value) => ({ value, label: t(`orderDetail.compare.${value}`) }))}
              value={way}
              onChange={(value) => setRequestedMode(value as ComparisonMode)}
            />
          )}
        </div>
        {left.id === right.id || !way ? (
          <Text size="sm" c="dimmed">
            {t(left.id === right.id ? "orderDetail.compare.same" : "orderDetail.compare.nothing")}
          </Text>
        ) : (
          <Comparison
            key={`${left.id} ${right.id} ${way}`}
            {...{ order, Scene, Pair, renew, pins, left, right, way }}
          />
        )}
      </Stack>
    </Section>
  );
}

const getAvailableModes = (left: CompareSide, right: CompareSide): ComparisonMode[] => {
  const haveModels = left.models.length > 0 && right.models.length > 0;
  const haveDocuments = left.documents.length > 0 && right.documents.length > 0;
  return comparisonModes.filter((way) => (way === "papers" ? haveDocuments : haveModels));
};

interface ChoiceProps {
  label: string;
  sides: readonly CompareSide[];
  side: CompareSide;
  onChoose: (id: string) => void;
}
const SideChoice = ({ label, sides, side, onChoose }: ChoiceProps) => (
  <NativeSelect
    label={label}
    data={sides.map(({ id, label: name }) => ({ value: id, label: name }))}
    value={side.id}
    onChange={(event) => onChoose(event.currentTarget.value)}
  />
);

type ComparisonProps = Omit<CompareProps, "pair" | "onPair"> & {
  left: CompareSide;
  right: CompareSide;
  way: ComparisonMode;
};

function Comparison({ order, Scene, Pair, renew, pins, left, right, way }: ComparisonProps) {
  const t = useTexts("order", "orderDetail");
  const [withScans, showScans] = useState(false);
  if (way === "papers") return <CompareDocuments left={left} right={right} />;
  const compares = matchModels(left, right);
  if (way === "distance" && compares) {
    const models = [...withLabel(right), ...withLabel(left)];
    return (
      <div className={classes.scene}>
        <Scene models={models} renew={renew} pins={pins.forModels(models)} compares={compares} />
      </div>
    );
  }
  const scans = withScans ? listModels(order, null) : [];
  const shown = (side: CompareSide) => (side.id === scansSetId ? side.models : [...scans, ...side.models]);
  return (
    <>
      {listModels(order, null).length > 0 && (
        <Group>
          <Checkbox
            label={t("orderDetail.compare.withScans")}
            checked={withScans}
            onChange={(event) => showScans(event.currentTarget.checked)}
          />
        </Group>
      )}
      <div className={classes.scene}>
        <Pair
          left={{ label: left.label, models: shown(left) }}
          right={{ label: right.label, models: shown(right) }}
          renew={renew}
        />
      </div>
    </>
  );
}

/** Revisions often contain files of the same name, so prefix the label. */
const withLabel = ({ label, models }: CompareSide): SceneFile[] =>
  models.map((model) => ({ ...model, name: `${label}: ${model.name}` }));
