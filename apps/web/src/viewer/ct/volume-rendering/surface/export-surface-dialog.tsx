import { Alert, Button, Group, Modal, NumberInput, Progress, Select, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { createBoxFromShares } from "@arcada/imaging/surface/voxel-box";
import { rescaleValue } from "@arcada/imaging/view/rescale-to-grey-values";
import { unclipped } from "@arcada/imaging/view/volume-clip";
import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import type { VolumeStore } from "../../loading/volume-store.ts";
import { extractSurface, type ExtractedSurface } from "./extract-surface.ts";
import { resolveThreshold } from "../render-presets.ts";
import type { Rendering } from "../rendering-context.tsx";

interface Props {
  isOpen: boolean;
  onClose: () => void;
  store: VolumeStore;
  rendering: Rendering;
}

type ExportState =
  | { state: "idle" }
  | { state: "making"; part: number }
  | { state: "made"; made: ExtractedSurface }
  | { state: "failed" };

/** Exports the surface of matter denser than a grey value, as an STL file in patient mm. */
export function ExportSurfaceDialog({ isOpen, onClose, store, rendering }: Props) {
  const t = useTexts("viewer");
  const { grid } = store;
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t("viewer.render.export.title")}
      closeButtonProps={{ "aria-label": t("viewer.render.export.cancel") }}
    >
      {grid?.isWhole ? (
        <ExportForm store={store} rendering={rendering} />
      ) : (
        <Text size="sm">{t("viewer.render.export.early")}</Text>
      )}
    </Modal>
  );
}

const smoothings = ["0", "4", "12"] as const;

function ExportForm({ store, rendering }: Pick<Props, "store" | "rendering">) {
  const t = useTexts("viewer");
  const { choice, matter } = rendering;
  const { info } = store;
  const suggested = matter?.hard ?? info.max;
  const [threshold, setThreshold] = useState(() => (matter ? resolveThreshold(choice, matter) : suggested));
  const [region, setRegion] = useState<"shown" | "all">("shown");
  const [bodies, setBodies] = useState<"largest" | "every">("largest");
  const [smoothing, setSmoothing] = useState<(typeof smoothings)[number]>("4");
  const [triangles, setTriangles] = useState(500_000);
  const { work, make, cancel } = useSurfaceExport(store);
  const start = () => {
    const { low, high } = region === "shown" ? rendering.box : unclipped;
    make(createBoxFromShares(info, low, high), {
      threshold,
      isLargestOnly: bodies === "largest",
      smoothing: Number(smoothing),
      maxTriangles: triangles,
      as: "stl",
    });
  };
  return (
    <Stack gap="sm">
      <ThresholdField info={info} {...{ threshold, suggested }} onChange={setThreshold} />
      <OptionSelect which="region" value={region} options={["shown", "all"]} onChange={setRegion} />
      <OptionSelect which="bodies" value={bodies} options={["largest", "every"]} onChange={setBodies} />
      <Select
        label={t("viewer.render.export.smoothing")}
        allowDeselect={false}
        value={smoothing}
        data={smoothings.map((value) => ({ value, label: t(`viewer.render.export.smooth${value}`) }))}
        onChange={(value) => value && setSmoothing(value)}
      />
      <NumberInput
        label={t("viewer.render.export.triangles")}
        value={triangles}
        min={1000}
        max={5_000_000}
        step={50_000}
        thousandSeparator=" "
        onChange={(typed) => typeof typed === "number" && typed > 0 && setTriangles(typed)}
      />
      <Text size="xs" c="dimmed">
        {t("viewer.render.export.lps")}
      </Text>
      {work.state === "making" ? (
        <ExportProgress part={work.part} onCancel={cancel} />
      ) : (
        <Button onClick={start}>{t("viewer.render.export.start")}</Button>
      )}
      {work.state === "failed" && <Alert color="red">{t("viewer.render.export.failed")}</Alert>}
      {work.state === "made" && <ExportedSurface made={work.made} />}
    </Stack>
  );
}

function ThresholdField({
  info,
  threshold,
  suggested,
  onChange,
}: {
  info: VolumeStore["info"];
  threshold: number;
  suggested: number;
  onChange: (threshold: number) => void;
}) {
  const t = useTexts("viewer");
  return (
    <Group align="end" gap="xs">
      <NumberInput
        flex={1}
        label={t("viewer.render.export.threshold")}
        value={rescaleValue(info, threshold)}
        onChange={(typed) =>
          typeof typed === "number" && onChange(Math.round((typed - info.valueOffset) / info.valueScale))
        }
      />
      <Button variant="light" onClick={() => onChange(suggested)}>
        {t("viewer.render.export.suggest")}
      </Button>
    </Group>
  );
}

function OptionSelect<N extends "shown" | "all" | "largest" | "every">({
  which,
  value,
  options,
  onChange,
}: {
  which: "region" | "bodies";
  value: N;
  options: readonly N[];
  onChange: (value: N) => void;
}) {
  const t = useTexts("viewer");
  return (
    <Select
      label={t(`viewer.render.export.${which}`)}
      allowDeselect={false}
      value={value}
      data={options.map((option) => ({ value: option, label: t(`viewer.render.export.${option}`) }))}
      onChange={(chosen) => chosen && onChange(chosen)}
    />
  );
}

function ExportProgress({ part, onCancel }: { part: number; onCancel: () => void }) {
  const t = useTexts("viewer");
  const label = t("viewer.render.export.making", { percent: Math.round(part * 100) });
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">{label}</Text>
      <Progress value={part * 100} aria-label={label} />
      <Button variant="default" onClick={onCancel}>
        {t("viewer.render.export.cancel")}
      </Button>
    </Stack>
  );
}

function ExportedSurface({ made }: { made: ExtractedSurface }) {
  const t = useTexts("viewer");
  const [name, setName] = useState("surface");
  if (!("stl" in made)) return <Alert color="yellow">{t("viewer.render.export.empty")}</Alert>;
  const save = () => {
    const url = URL.createObjectURL(new Blob([made.stl], { type: "model/stl" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = `${name.replace(/[\\/:*?"<>|]/g, "-").trim() || "surface"}.stl`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">
        {t("viewer.render.export.done", {
          triangles: formatNumber(made.triangles, 0),
          volume: formatNumber(made.volume / 1000, 2),
          size: formatNumber(made.stl.length / 1e6, 1),
        })}
      </Text>
      <Group align="end" gap="xs">
        <TextInput
          flex={1}
          label={t("viewer.render.export.name")}
          value={name}
          maxLength={80}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button onClick={save}>{t("viewer.render.export.save")}</Button>
      </Group>
    </Stack>
  );
}

/** One surface at a time; closing the dialog cancels it. */
function useSurfaceExport(store: VolumeStore) {
  const [work, setWork] = useState<ExportState>({ state: "idle" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const cancel = () => {
    running.current?.abort();
    setWork({ state: "idle" });
  };
  const make = (box: Parameters<typeof extractSurface>[1], plan: Parameters<typeof extractSurface>[2]) => {
    const { grid } = store;
    if (!grid) return;
    const stop = new AbortController();
    running.current?.abort();
    running.current = stop;
    setWork({ state: "making", part: 0 });
    extractSurface(grid, box, plan, stop.signal, (part) => setWork({ state: "making", part })).then(
      (made) => stop.signal.aborted || setWork({ state: "made", made }),
      () => stop.signal.aborted || setWork({ state: "failed" }),
    );
  };
  return { work, make, cancel };
}
