import { Box, Text } from "@mantine/core";

/** The title of a part of the card and a text that explains its purpose. */
export function SectionHeading({ title, text }: { title: string; text: string }) {
  return (
    <Box miw={0} flex="1 1 220px">
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </Box>
  );
}
