import { Anchor, Badge, Group, Text, Title } from "@mantine/core";
import type { ClinicMap } from "@arcada/contract/clinic/service-figures.calls";
import { screens } from "@arcada/contract/screens";
import { formatTimeAgo } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useLanguage, useTexts } from "../i18n/texts.ts";
import { ageBandColours, getAgeBand, formatPlace } from "./clinic-text.ts";
import classes from "./service-map.module.css";

/** The content of the map as text: clinics with the most open work first, then, by place, those without coordinates. */
export function MapAsText({ mapped: { clinics, elsewhere } }: { mapped: ClinicMap }) {
  const t = useTexts("clinic");
  const language = useLanguage();
  return (
    <div className={classes.list} tabIndex={0} role="region" aria-label={t("clinic.map.list")}>
      <ul>
        {clinics.map((one) => (
          <li key={one.id}>
            <Anchor component={ScreenLink} screen="clinicDetail" search={{ id: one.id }} size="sm" fw={600}>
              {one.name}
            </Anchor>
            <Text size="xs" c="dimmed">
              {formatPlace(one, language)}
            </Text>
            <WorkCounts counts={one} />
          </li>
        ))}
      </ul>
      {elsewhere.length > 0 && (
        <>
          <Title order={3} size="h5" mt="md">
            {t("clinic.map.elsewhere")}
          </Title>
          <ul>
            {elsewhere.map((place) => (
              <li key={`${place.country} ${place.province} ${place.city}`}>
                <PlaceLink place={place} />
                <Text size="xs" c="dimmed">
                  {t("clinic.count", { count: place.clinics })}
                </Text>
                <WorkCounts counts={place} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function PlaceLink({ place }: { place: ClinicMap["elsewhere"][number] }) {
  const language = useLanguage();
  const mayOpen = useCanAccess(screens.afterSales);
  const { country, province, city } = place;
  const text = formatPlace(place, language);
  if (!mayOpen) return <Text size="sm">{text}</Text>;
  const search = { country, ...(province && { province }), ...(city && { city }) };
  return (
    <Anchor component={ScreenLink} screen="afterSales" search={search} size="sm">
      {text}
    </Anchor>
  );
}

function WorkCounts({
  counts: { openWork, oldest, devices },
}: {
  counts: Pick<ClinicMap["clinics"][number], "openWork" | "oldest" | "devices">;
}) {
  const t = useTexts("clinic");
  return (
    <Group gap={6} mt={2}>
      {openWork > 0 && oldest !== null && (
        <Badge size="sm" variant="light" color={ageBandColours[getAgeBand(oldest)]}>
          {t("clinic.map.open", { number: openWork })} · {formatTimeAgo(oldest)}
        </Badge>
      )}
      <Text size="xs" c="dimmed" span>
        {t("clinic.map.devices", { number: devices })}
      </Text>
    </Group>
  );
}
