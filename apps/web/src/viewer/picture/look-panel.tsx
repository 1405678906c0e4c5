import { Button, Group, NumberInput, Slider, Stack, Text } from "@mantine/core";
import { IconAdjustments } from "@tabler/icons-react";
import { degreesOf } from "@arcada/imaging/view/picture-view";
import { trueWindow } from "@arcada/imaging/view/true-value";
import { showNumber } from "../../kernel/format.ts";
import { useTexts } from "../../kernel/texts.ts";
import { ToolPanel } from "../frame/tool-panel.tsx";
import { Histogram } from "./histogram.tsx";
import type { LoadedPicture, PictureFile } from "./load-picture.ts";
import type { PictureControls } from "./use-picture-view.ts";

interface Props {
  controls: PictureControls;
  loaded: LoadedPicture;
  file: PictureFile | null;
}

/** Brightness by histogram and numbers, gamma, sharpening and the rotation angle of an image. */
export function LookPanel({ controls, loaded, file }: Props) {
  const t = useTexts("viewer");
  const { look, setLook, view, tiltTo } = controls;
  const { picture } = loaded;
  const { gamma = 1, sharpen = 0 } = look;
  return (
    <ToolPanel label={t("viewer.look.title")} icon={IconAdjustments} isOn={gamma !== 1 || sharpen > 0}>
      <Stack gap="sm" w={264}>
        {picture.kind === "grey" && file && (
          <Histogram picture={picture} file={file} window={look.window} onWindow={controls.setWindow} />
        )}
        <WindowFields controls={controls} loaded={loaded} file={file} />
        <Level
          label={t("viewer.look.gamma")}
          shown={showNumber(gamma, 2)}
          range={[0.3, 3, 0.05]}
          value={gamma}
          onChange={(value) => setLook({ gamma: value })}
        />
        <Level
          label={t("viewer.look.sharpen")}
          shown={showNumber(sharpen, 1)}
          range={[0, 4, 0.1]}
          value={sharpen}
          onChange={(value) => setLook({ sharpen: value })}
        />
        <Text size="xs" c="dimmed">
          {t("viewer.look.displayOnly")}
        </Text>
        {view && (
          <Level
            label={t("viewer.look.angle")}
            shown={`${showNumber(degreesOf(view), 1)}°`}
            range={[-180, 180, 0.5]}
            value={degreesOf(view)}
            onChange={tiltTo}
          />
        )}
      </Stack>
    </ToolPanel>
  );
}

function WindowFields({ controls, loaded, file }: Props) {
  const t = useTexts("viewer");
  const { setWindow, look } = controls;
  const { valueScale, valueOffset } = file ?? { valueScale: 1, valueOffset: 0 };
  const { center, width } = trueWindow({ valueScale, valueOffset }, look.window);
  const step = Math.max(1, Math.round(width / 50));
  return (
    <Group gap="xs" align="end" wrap="nowrap">
      <NumberInput
        size="xs"
        label={t("viewer.window.center")}
        value={center}
        step={step}
        onChange={(typed) =>
          typeof typed === "number" && setWindow((now) => ({ ...now, center: (typed - valueOffset) / valueScale }))
        }
      />
      <NumberInput
        size="xs"
        label={t("viewer.window.width")}
        value={width}
        min={1}
        step={step}
        onChange={(typed) =>
          typeof typed === "number" && typed > 0 && setWindow((now) => ({ ...now, width: typed / valueScale }))
        }
      />
      <Button size="xs" variant="light" px="xs" flex="none" onClick={() => setWindow(loaded.auto)}>
        {t("viewer.window.auto")}
      </Button>
    </Group>
  );
}

interface LevelProps {
  label: string;
  shown: string;
  range: readonly [least: number, most: number, step: number];
  value: number;
  onChange: (value: number) => void;
}

const Level = ({ label, shown, range: [min, max, step], value, onChange }: LevelProps) => (
  <div>
    <Group justify="space-between" gap="xs">
      <Text size="xs">{label}</Text>
      <Text size="xs" c="dimmed">
        {shown}
      </Text>
    </Group>
    <Slider size="sm" label={null} thumbLabel={label} {...{ min, max, step, value, onChange }} />
  </div>
);
