import { Box, Text } from "@mantine/core";

/** What a part of the card is, and what it is good for. */
export function Words({ title, text }: { title: string; text: string }) {
  return (
    <Box miw={0} flex="1 1 220px">
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </Box>
  );
}
