import { Button, Popover, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconCamera } from "@tabler/icons-react";
import { screens } from "@arcada/contract/screens";
import { ScreenLink } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { QrCode } from "../ui/qr-code.tsx";

/**
 * Starts the photo series: on a phone at once, elsewhere by a code that the phone of a signed-in person scans. The code
 * holds the address of the page and no secret.
 */
export function PhotoSeriesButton({ patientId }: { patientId: string }) {
  const t = useTexts("patient");
  const isPhone = useMediaQuery("(pointer: coarse), (max-width: 48em)", undefined, { getInitialValueInEffect: false });
  const icon = <IconCamera size={17} stroke={1.7} aria-hidden />;
  const search = { patient: patientId, take: "1" };
  if (isPhone)
    return (
      <Button component={ScreenLink} screen="photoSeries" search={search} variant="default" leftSection={icon}>
        {t("patient.photos.start")}
      </Button>
    );
  const address = `${location.origin}${screens.photoSeries.path}?${new URLSearchParams(search).toString()}`;
  return (
    <Popover position="bottom-end" width={264} trapFocus withinPortal shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={icon}>
          {t("patient.photos.start")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <QrCode text={address} label={t("patient.photos.code")} />
          <Text size="sm">{t("patient.photos.scan")}</Text>
          <Button component={ScreenLink} screen="photoSeries" search={search} variant="default" size="xs">
            {t("patient.photos.here")}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
