import { Center, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { ArchDecoration } from "../ui/arch-decoration.tsx";
import { Logo } from "../ui/logo.tsx";
import classes from "./message-page.module.css";

/** A page outside the layout with a single message. */
export function MessagePage({
  number,
  title,
  text,
  children,
}: {
  number: string;
  title: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <Center component="main" className={classes.page}>
      <ArchDecoration className={classes.arch} />
      <Stack align="center" gap="sm" maw={460} ta="center" className={classes.words}>
        <Logo />
        <Text className={classes.number} aria-hidden>
          {number}
        </Text>
        <Title order={1}>{title}</Title>
        <Text c="dimmed">{text}</Text>
        <Group mt="md">{children}</Group>
      </Stack>
    </Center>
  );
}
