import { Button, Group, RangeSlider, SegmentedControl, Slider, Stack, Switch, Text } from "@mantine/core";
import { IconBoxMargin } from "@tabler/icons-react";
import { planeNames, type PlaneName } from "@arcada/imaging/view/plane-view";
import { unclipped } from "@arcada/imaging/view/volume-clip";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { axesOf } from "@arcada/imaging/volume/volume-geometry";
import { directionLetters, oppositeLetters } from "@arcada/imaging/volume/voxel-to-patient";
import { useTexts } from "../../../i18n/texts.ts";
import { ToolPanel } from "../../ui/toolbar/tool-panel.tsx";
import type { VolumeStore } from "../loading/volume-store.ts";
import type { Rendering } from "./rendering-context.tsx";

/** Limits the visible part of the volume: a box, one side of the crosshair's plane, and how far one sees into it. */
export function ClipPanel({ rendering, store }: { rendering: Rendering; store: VolumeStore }) {
  const t = useTexts("viewer");
  const { box, cut, choice } = rendering;
  const isWhole = [0, 1, 2].every((axis) => box.low[axis] === 0 && box.high[axis] === 1);
  return (
    <ToolPanel label={t("viewer.render.clip.title")} icon={IconBoxMargin} isOn={!isWhole || cut !== null}>
      <Stack gap="xs" w={260}>
        {axesOf(store.info).map((axis, at) => (
          <ClipRange key={at} at={at} letters={directionLetters(axis)} rendering={rendering} />
        ))}
        <Text size="xs">{t("viewer.render.clip.cut")}</Text>
        <SegmentedControl<PlaneName | "none">
          size="xs"
          fullWidth
          aria-label={t("viewer.render.clip.cut")}
          value={cut?.plane ?? "none"}
          onChange={(plane) =>
            rendering.setCut(plane === "none" ? null : { plane, isFlipped: cut?.isFlipped ?? false })
          }
          data={[
            { value: "none", label: t("viewer.render.clip.none") },
            ...planeNames.map((name) => ({ value: name, label: t(`viewer.plane.${name}`) })),
          ]}
        />
        <Switch
          size="xs"
          label={t("viewer.render.clip.turned")}
          disabled={!cut}
          checked={cut?.isFlipped ?? false}
          onChange={(event) => cut && rendering.setCut({ ...cut, isFlipped: event.currentTarget.checked })}
        />
        <Group gap="sm" wrap="nowrap">
          <Text size="xs">{t("viewer.render.opacity")}</Text>
          <Slider
            flex={1}
            size="sm"
            label={null}
            thumbLabel={t("viewer.render.opacity")}
            min={5}
            max={100}
            value={Math.round(choice.opacity * 100)}
            onChange={(percent) => rendering.choose({ opacity: percent / 100 })}
          />
        </Group>
        <Button
          size="xs"
          variant="light"
          onClick={() => {
            rendering.setBox(unclipped);
            rendering.setCut(null);
            rendering.choose({ opacity: 1 });
          }}
        >
          {t("viewer.render.clip.reset")}
        </Button>
      </Stack>
    </ToolPanel>
  );
}

function ClipRange({ at, letters, rendering }: { at: number; letters: string; rendering: Rendering }) {
  const t = useTexts("viewer");
  const { low, high } = rendering.box;
  const ends = [oppositeLetters(letters), letters];
  const replaceAt = (vector: Vector, value: number): Vector =>
    vector.map((part, axis) => (axis === at ? value : part)) as unknown as Vector;
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="xs" w={20} ta="center">
        {ends[0]}
      </Text>
      <RangeSlider
        flex={1}
        size="sm"
        label={null}
        minRange={2}
        thumbFromLabel={t("viewer.render.clip.from", { side: ends[0] })}
        thumbToLabel={t("viewer.render.clip.from", { side: ends[1] })}
        value={[Math.round((low[at] ?? 0) * 100), Math.round((high[at] ?? 1) * 100)]}
        onChange={([from, to]) =>
          rendering.setBox({ low: replaceAt(low, from / 100), high: replaceAt(high, to / 100) })
        }
      />
      <Text size="xs" w={20} ta="center">
        {ends[1]}
      </Text>
    </Group>
  );
}
