import { Button, Group, Stack, Text } from "@mantine/core";
import { screens } from "@arcada/contract/screens";
import type { ScreenName } from "@arcada/contract/screens";
import { ScreenLink } from "../kernel/link.tsx";
import { Permit } from "../kernel/permit.tsx";
import { useTexts } from "../kernel/texts.ts";
import { Section } from "../ui/page.tsx";

const ways = ["engines", "openInterface", "trail", "leaving"] as const satisfies readonly ScreenName[];

/** Links to further areas for managers only: analysis engines, API access, audit log and data export. */
export function WayOut() {
  return ways.map((way) => (
    <Permit key={way} to={screens[way]}>
      <Way way={way} />
    </Permit>
  ));
}

function Way({ way }: { way: (typeof ways)[number] }) {
  const t = useTexts("institution");
  return (
    <Section>
      <Group justify="space-between" gap="md">
        <Stack gap={2} flex="1 1 240px">
          <Text fw={600}>{t(`institution.${way}`)}</Text>
          <Text size="sm" c="dimmed">
            {t(`institution.${way}Text`)}
          </Text>
        </Stack>
        <Button component={ScreenLink} screen={way} variant="default">
          {t(`institution.${way}Open`)}
        </Button>
      </Group>
    </Section>
  );
}
