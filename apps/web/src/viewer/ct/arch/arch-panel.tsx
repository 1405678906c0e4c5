import { Button, Group, NumberInput, SegmentedControl, Select, Slider, Stack, Switch, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { patientUp } from "@arcada/imaging/arch/curved-surface";
import { formatNumber } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import type { CtViewerState } from "../layout/viewport-props.ts";
import { maxDepthMm, type Arch } from "./use-arch.ts";
import { jaws, type Jaw } from "@arcada/imaging/arch/detection/detected-arches";

/** Settings of the arch, of the panorama along it and of its cross-sections. */
export function ArchPanel({ arch, controls }: Pick<CtViewerState, "arch" | "controls">) {
  return (
    <Stack gap="xs">
      <ArchChoice arch={arch} controls={controls} />
      <PanoramaForm arch={arch} />
      <CrossSectionForm arch={arch} />
    </Stack>
  );
}

function ArchChoice({ arch, controls }: Pick<CtViewerState, "arch" | "controls">) {
  const t = useTexts("viewer");
  const { state, jaw, setJaw, reset, biteUp, up, setUp, startDetection } = arch;
  const latestDetection = useRef(startDetection);
  useEffect(() => latestDetection.current(), []);
  return (
    <>
      <SegmentedControl<Jaw>
        size="xs"
        fullWidth
        aria-label={t("viewer.tool.arch")}
        value={jaw}
        onChange={setJaw}
        data={jaws.map((value) => ({ value, label: t(`viewer.jaw.${value}`) }))}
      />
      <Text size="xs" c="dimmed" role="status">
        {t(`viewer.arch.state.${state}`)}
      </Text>
      <Group gap="xs">
        <Button size="compact-xs" variant="light" onClick={() => controls.setTool("arch")}>
          {t(arch.path ? "viewer.arch.change" : "viewer.arch.draw")}
        </Button>
        {arch.path && (
          <Button
            size="compact-xs"
            variant="light"
            onClick={() => {
              arch.beginNewArch();
              controls.setTool("arch");
            }}
          >
            {t("viewer.arch.anew")}
          </Button>
        )}
        {reset && (
          <Button size="compact-xs" variant="light" onClick={reset}>
            {t("viewer.arch.automatic")}
          </Button>
        )}
      </Group>
      {biteUp && (
        <Switch
          size="xs"
          label={t("viewer.arch.alongBite")}
          checked={String(up) !== String(patientUp)}
          onChange={(event) => setUp(event.currentTarget.checked ? biteUp : patientUp)}
        />
      )}
    </>
  );
}

const panoramaModes = ["mean", "max"] as const;
const maxSlabMm = 40;

function PanoramaForm({ arch: { panoramaSettings, setPanoramaSettings } }: { arch: Arch }) {
  const t = useTexts("viewer");
  const rows = [
    {
      name: "thickness",
      value: panoramaSettings.slab,
      min: 0,
      max: maxSlabMm,
      put: (slab: number) => setPanoramaSettings({ slab }),
    },
    {
      name: "depth",
      value: panoramaSettings.depth,
      min: -maxDepthMm,
      max: maxDepthMm,
      put: (depth: number) => setPanoramaSettings({ depth }),
    },
  ] as const;
  return (
    <>
      <Text size="xs" fw={600}>
        {t("viewer.pane.panorama")}
      </Text>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t("viewer.slab.values")}
        value={panoramaSettings.slabMode === "max" ? "max" : "mean"}
        onChange={(slabMode) => setPanoramaSettings({ slabMode: slabMode === "max" ? "max" : "mean" })}
        data={panoramaModes.map((value) => ({ value, label: t(`viewer.arch.mode.${value}`) }))}
      />
      <Switch
        size="xs"
        label={t("viewer.arch.bent")}
        checked={panoramaSettings.isBent}
        onChange={(event) => setPanoramaSettings({ isBent: event.currentTarget.checked })}
      />
      {rows.map(({ name, value, min, max, put }) => (
        <div key={name}>
          <Text size="xs">
            {t(`viewer.arch.${name}`)} · {t("viewer.unit.mm", { value: formatNumber(value, 1) })}
          </Text>
          <Slider
            size="sm"
            aria-label={t(`viewer.arch.${name}`)}
            thumbLabel={t(`viewer.arch.${name}`)}
            label={null}
            {...{ value, min, max }}
            step={0.5}
            onChange={put}
          />
        </div>
      ))}
    </>
  );
}

const counts = ["auto", "1", "3", "6", "9"] as const;

function CrossSectionForm({ arch: { crossSectionSettings, setCrossSectionSettings } }: { arch: Arch }) {
  const t = useTexts("viewer");
  const mm = (name: "spacing" | "slab", min: number, max: number) => (
    <NumberInput
      size="xs"
      label={t(`viewer.arch.section.${name}`)}
      {...{ min, max }}
      step={0.5}
      clampBehavior="strict"
      value={crossSectionSettings[name]}
      onChange={(typed) => typeof typed === "number" && typed >= min && setCrossSectionSettings({ [name]: typed })}
    />
  );
  return (
    <>
      <Text size="xs" fw={600}>
        {t("viewer.pane.section")}
      </Text>
      <Group gap="xs" grow wrap="nowrap">
        {mm("spacing", 0.5, 10)}
        {mm("slab", 0, 20)}
        <Select
          size="xs"
          label={t("viewer.arch.section.count")}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          value={String(crossSectionSettings.count ?? "auto")}
          onChange={(value) => setCrossSectionSettings({ count: value === "auto" ? null : Number(value) })}
          data={counts.map((value) => ({ value, label: value === "auto" ? t("viewer.arch.section.auto") : value }))}
        />
      </Group>
    </>
  );
}
