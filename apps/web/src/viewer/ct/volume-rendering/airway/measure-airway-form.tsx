import { Alert, Button, Group, Loader, NumberInput, Slider, Stack, Text } from "@mantine/core";
import type { AirwayCrossSection } from "@arcada/imaging/surface/airway";
import { rescaleValue } from "@arcada/imaging/view/rescale-to-grey-values";
import { plus, times, type Vector } from "@arcada/imaging/geometry/vector";
import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import type { CtViewerState } from "../../layout/viewport-props.ts";
import styles from "../render-viewport.module.css";
import { useRendering } from "../rendering-context.tsx";
import type { AirwayControls, AirwayPlan } from "./use-airway.ts";

/** Measures the airway's volume and narrowest place, by a box around the crosshair and a threshold. */
export function MeasureAirwayForm({ controls, store }: CtViewerState) {
  const t = useTexts("viewer");
  const { airway } = useRendering();
  const { plan } = airway;
  return (
    <Stack gap="xs" w={270}>
      {plan ? (
        <>
          <AirwayValues airway={airway} onGoTo={controls.setCrosshair} />
          <AirwaySettingsForm airway={airway} plan={plan} store={store} />
          <Button size="compact-xs" variant="light" onClick={() => airway.begin(controls.crosshair)}>
            {t("viewer.render.airway.start")}
          </Button>
        </>
      ) : (
        <>
          <Text size="xs">{t("viewer.render.airway.help")}</Text>
          <Button size="xs" onClick={() => airway.begin(controls.crosshair)}>
            {t("viewer.render.airway.start")}
          </Button>
        </>
      )}
    </Stack>
  );
}

/** The measurements of the airway, beside the planes. */
export function AirwayMeasurements({ controls }: CtViewerState) {
  const t = useTexts("viewer");
  const { airway } = useRendering();
  if (!airway.plan) return null;
  return (
    <Stack gap={4} mt="sm">
      <Text size="xs" fw={600}>
        {t("viewer.render.airway.title")}
      </Text>
      <AirwayValues airway={airway} onGoTo={controls.setCrosshair} />
    </Stack>
  );
}

function AirwayValues({ airway, onGoTo }: { airway: AirwayControls; onGoTo: (point: Vector) => void }) {
  const t = useTexts("viewer");
  const { state, measured, isCoarse } = airway;
  if (state === "measuring")
    return (
      <Group gap="xs" role="status">
        <Loader size="xs" />
        <Text size="xs">{t("viewer.render.airway.measuring")}</Text>
      </Group>
    );
  if (state === "noAir" || !measured) return <Alert color="yellow">{t("viewer.render.airway.noAir")}</Alert>;
  const { narrowest } = measured;
  return (
    <Stack gap={4} role="status">
      <Text size="sm">{t("viewer.render.airway.volume", { value: formatNumber(measured.volume / 1000, 2) })}</Text>
      {narrowest ? (
        <>
          <Text size="sm">{t("viewer.render.airway.narrowest", { value: formatNumber(narrowest.area, 1) })}</Text>
          <AreaCurve crossSections={measured.crossSections} narrowest={narrowest} />
          <Button size="compact-xs" variant="light" onClick={() => onGoTo(narrowest.at)}>
            {t("viewer.render.airway.goTo")}
          </Button>
        </>
      ) : (
        <Text size="xs">{t("viewer.render.airway.noSection")}</Text>
      )}
      {isCoarse && <Text size="xs">{t("viewer.render.airway.preview")}</Text>}
    </Stack>
  );
}

/** The area along the airway as a curve; sections that the box cuts off are left out. */
function AreaCurve({
  crossSections,
  narrowest,
}: {
  crossSections: readonly AirwayCrossSection[];
  narrowest: AirwayCrossSection;
}) {
  const t = useTexts("viewer");
  const [width, height] = [250, 56];
  const whole = crossSections.filter(({ isCut }) => !isCut);
  const far = Math.max(1, ...crossSections.map(({ distance }) => distance));
  const most = Math.max(1, ...whole.map(({ area }) => area));
  const spot = ({ distance, area }: AirwayCrossSection) =>
    `${((distance / far) * width).toFixed(1)},${(height - (area / most) * (height - 4)).toFixed(1)}`;
  const [x = "0", y = "0"] = spot(narrowest).split(",");
  return (
    <svg
      className={styles.curve}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t("viewer.render.airway.profile")}
    >
      <polyline className={styles.curveLine} points={whole.map(spot).join(" ")} />
      <circle className={styles.curveSpot} cx={x} cy={y} r={3} />
    </svg>
  );
}

const sides = ["across", "deep", "high"] as const;

function AirwaySettingsForm({
  airway,
  plan,
  store: { info },
}: {
  airway: AirwayControls;
  plan: AirwayPlan;
  store: CtViewerState["store"];
}) {
  const t = useTexts("viewer");
  const { matter } = useRendering();
  const threshold = t("viewer.render.airway.threshold", { value: rescaleValue(info, plan.threshold) });
  const resized = (axis: number, mm: number): AirwayPlan => {
    const middle = times(plus(plan.low, plan.high), 0.5);
    const end = (corner: Vector, sign: number): Vector =>
      corner.map((part, at) => (at === axis ? (middle[at] ?? 0) + (sign * mm) / 2 : part)) as unknown as Vector;
    return { ...plan, low: end(plan.low, -1), high: end(plan.high, 1) };
  };
  return (
    <>
      <Text size="xs">{threshold}</Text>
      <Slider
        size="sm"
        label={null}
        thumbLabel={threshold}
        min={info.min}
        max={matter?.hard ?? info.max}
        value={plan.threshold}
        onChange={(value) => airway.change({ ...plan, threshold: value }, false)}
        onChangeEnd={(value) => airway.change({ ...plan, threshold: value })}
      />
      <Text size="xs">{t("viewer.render.airway.size")}</Text>
      <Group gap="xs" grow>
        {sides.map((side, axis) => (
          <NumberInput
            key={side}
            size="xs"
            label={t(`viewer.render.airway.side.${side}`)}
            min={5}
            max={200}
            step={2}
            value={Math.round((plan.high[axis] ?? 0) - (plan.low[axis] ?? 0))}
            onChange={(mm) => typeof mm === "number" && mm >= 5 && airway.change(resized(axis, mm))}
          />
        ))}
      </Group>
      <Text size="xs" c="dimmed">
        {t("viewer.render.airway.note")}
      </Text>
      <Button size="compact-xs" variant="default" onClick={airway.remove}>
        {t("viewer.render.airway.remove")}
      </Button>
    </>
  );
}
