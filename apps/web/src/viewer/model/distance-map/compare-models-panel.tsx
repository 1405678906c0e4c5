import { Alert, Button, Group, NativeSelect, Progress, SegmentedControl, Slider, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { formatNumber } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { AlignPanel } from "../align/align-panel.tsx";
import type { ModelAlignment } from "../align/use-align.ts";
import type { SceneModel } from "../scene-model.ts";
import styles from "../side-panel.module.css";
import { DistanceFigures } from "./distance-statistics.tsx";
import {
  distanceMapKinds,
  type DistanceMap,
  type DistanceMapKind,
  type DistanceMapRequest,
} from "./use-distance-map.ts";

interface Props {
  models: readonly SceneModel[];
  /** The models whose search trees are built. */
  ready: ReadonlySet<string>;
  map: DistanceMap;
  align: ModelAlignment;
  aligned: ReadonlySet<string>;
  /** Shows only these two, which are to be compared or registered. */
  onShow: (a: string, b: string) => void;
  /** The initial selection. */
  initial?: DistanceMapRequest | undefined;
}

/** Two models compared: their bite, the distance of one from the other, and their registration. */
export function ComparePanel({ models, ready, map, align, aligned, onShow, initial }: Props) {
  const t = useTexts("viewer");
  // The panel is mounted again whenever it is opened: it begins with the current map.
  const known = map.current.state === "ready" ? map.current.plan : initial;
  const [kind, setKind] = useState<DistanceMapKind>(known?.kind ?? "bite");
  const [pair, setPair] = useState(() => (known ? ([known.a, known.b] as const) : findDefaultPair(models)));
  // The models of a scene may change under the panel.
  const [a, b] = pair.every((id) => models.some((model) => model.id === id)) ? pair : findDefaultPair(models);
  if (models.length < 2) return <Text className={styles.note ?? ""}>{t("viewer.model.compare.needsTwo")}</Text>;
  if (align.plan) return <AlignPanel align={align} models={models} />;
  const choose = (at: 0 | 1) => (id: string) => setPair(at === 0 ? [id, id === b ? a : b] : [id === a ? b : a, id]);
  const canStart = ready.has(a) && ready.has(b) && map.current.state !== "working";
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t("viewer.model.compare.kind")}
        value={kind}
        onChange={(name) => setKind(name as DistanceMapKind)}
        data={distanceMapKinds.map((value) => ({ value, label: t(`viewer.model.compare.${value}`) }))}
      />
      <ModelChoice label={t(`viewer.model.compare.a.${kind}`)} models={models} value={a} onChange={choose(0)} />
      <ModelChoice label={t(`viewer.model.compare.b.${kind}`)} models={models} value={b} onChange={choose(1)} />
      <Group gap={4}>
        <Button
          size="xs"
          disabled={!canStart}
          onClick={() => {
            if (kind === "version") onShow(a, b);
            map.start({ kind, a, b });
          }}
        >
          {t("viewer.model.compare.start")}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={!canStart}
          onClick={() => {
            align.begin({ from: a, onto: b });
            onShow(a, b);
          }}
        >
          {t("viewer.model.align.begin")}
        </Button>
      </Group>
      {aligned.has(a) && <Aligned align={align} id={a} />}
      <MapState map={map} />
    </Stack>
  );
}

function Aligned({ align, id }: { align: ModelAlignment; id: string }) {
  const t = useTexts("viewer");
  return (
    <Text className={styles.note ?? ""}>
      {align.rms === null
        ? t("viewer.model.align.moved")
        : t("viewer.model.align.rest", { mm: formatNumber(align.rms, 3) })}{" "}
      <Button size="compact-xs" variant="subtle" onClick={() => align.undo(id)}>
        {t("viewer.model.align.undo")}
      </Button>
    </Text>
  );
}

const findDefaultPair = (models: readonly SceneModel[]): readonly [string, string] => {
  const upper = models.find(({ jaw }) => jaw === "upper") ?? models[0];
  const lower =
    models.find((model) => model.jaw === "lower" && model !== upper) ?? models.find((model) => model !== upper);
  return [upper?.id ?? "", lower?.id ?? ""];
};

function ModelChoice({
  label,
  models,
  value,
  onChange,
}: {
  label: string;
  models: readonly SceneModel[];
  value: string;
  onChange: (id: string) => void;
}) {
  return (
    <NativeSelect
      size="xs"
      label={label}
      value={value}
      data={models.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function MapState({ map }: { map: DistanceMap }) {
  const t = useTexts("viewer");
  const { current, range, setRange, stop } = map;
  if (current.state === "none") return null;
  if (current.state === "failed") return <Alert color="orange">{t("viewer.model.compare.failed")}</Alert>;
  if (current.state === "working")
    return (
      <Stack gap={4} role="status">
        <Text className={styles.label ?? ""}>{t("viewer.model.compare.working")}</Text>
        <Progress value={100 * current.part} aria-label={t("viewer.model.compare.working")} />
        <Button size="xs" variant="default" onClick={stop}>
          {t("viewer.model.compare.stop")}
        </Button>
      </Stack>
    );
  const { kind } = current.plan;
  return (
    <Stack gap={6}>
      <Text className={styles.label ?? ""}>
        {t(`viewer.model.compare.range.${kind}`, { mm: formatNumber(range, 2) })}
      </Text>
      <Slider
        size="sm"
        min={0.1}
        max={kind === "bite" ? 1.5 : 3}
        step={0.05}
        value={range}
        label={null}
        thumbLabel={t("viewer.model.compare.rangeName")}
        onChange={setRange}
      />
      <DistanceFigures plan={current.plan} distances={current.distances} map={map} />
      <Button size="xs" variant="default" onClick={stop}>
        {t("viewer.model.compare.end")}
      </Button>
    </Stack>
  );
}
