import { Button, Group, NumberInput, Slider, Stack, Text } from "@mantine/core";
import { getViewRotation } from "@arcada/imaging/view/image-view";
import { rescaleWindow } from "@arcada/imaging/view/rescale-to-grey-values";
import { formatNumber } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Histogram } from "./histogram.tsx";
import type { LoadedImage, ImageFile } from "../loading/load-image.ts";
import type { ImageControls } from "../use-image-view.ts";

interface Props {
  controls: ImageControls;
  loaded: LoadedImage;
  file: ImageFile | null;
}

/** Brightness by histogram and numbers, gamma, sharpening and the rotation angle of an image. */
export function DisplaySettingsForm({ controls, loaded, file }: Props) {
  const t = useTexts("viewer");
  const { displaySettings, setDisplaySettings, view, rotateTo } = controls;
  const { image } = loaded;
  const { gamma = 1, sharpen = 0 } = displaySettings;
  return (
    <Stack gap="sm" w={264}>
      {image.kind === "grey" && file && (
        <Histogram image={image} file={file} window={displaySettings.window} onWindow={controls.setWindow} />
      )}
      <WindowFields controls={controls} loaded={loaded} file={file} />
      <LevelSlider
        label={t("viewer.look.gamma")}
        shown={formatNumber(gamma, 2)}
        range={[0.3, 3, 0.05]}
        value={gamma}
        onChange={(value) => setDisplaySettings({ gamma: value })}
      />
      <LevelSlider
        label={t("viewer.look.sharpen")}
        shown={formatNumber(sharpen, 1)}
        range={[0, 4, 0.1]}
        value={sharpen}
        onChange={(value) => setDisplaySettings({ sharpen: value })}
      />
      <Text size="xs" c="dimmed">
        {t("viewer.look.displayOnly")}
      </Text>
      {view && (
        <LevelSlider
          label={t("viewer.look.angle")}
          shown={`${formatNumber(getViewRotation(view), 1)}°`}
          range={[-180, 180, 0.5]}
          value={getViewRotation(view)}
          onChange={rotateTo}
        />
      )}
    </Stack>
  );
}

function WindowFields({ controls, loaded, file }: Props) {
  const t = useTexts("viewer");
  const { setWindow, displaySettings } = controls;
  const { valueScale, valueOffset } = file ?? { valueScale: 1, valueOffset: 0 };
  const { center, width } = rescaleWindow({ valueScale, valueOffset }, displaySettings.window);
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

interface LevelSliderProps {
  label: string;
  shown: string;
  range: readonly [least: number, most: number, step: number];
  value: number;
  onChange: (value: number) => void;
}

const LevelSlider = ({ label, shown, range: [min, max, step], value, onChange }: LevelSliderProps) => (
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
