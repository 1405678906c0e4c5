import { Button, Group, Stack, Text } from "@mantine/core";
import type { ScreenName } from "@arcada/contract/screens";
import { ScreenLink } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import { Section } from "../ui/page.tsx";

const ways = ["openInterface", "trail", "leaving"] as const satisfies readonly ScreenName[];

/** What else only managers may: let programs in, read the trail, take everything along. */
export function WayOut() {
  const t = useTexts("institution");
  return ways.map((way) => (
    <Section key={way}>
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
  ));
}
