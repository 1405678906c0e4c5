import { Button, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { IconBuildingHospital, IconUsersGroup } from "@tabler/icons-react";
import { useState } from "react";
import type { ComponentType } from "react";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import { pageSizes } from "@arcada/contract/kernel/fields";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { CreateInstitution } from "../account/registration/create-institution.tsx";
import { ScreenLink } from "../browser/navigation.tsx";
import { useCall } from "../data/use-call.ts";
import { useTexts } from "../i18n/texts.ts";
import { ApplyDialog } from "../member/membership-application-dialog.tsx";
import { MyMemberships } from "../member/my-memberships.tsx";
import classes from "./start-page.module.css";

/** The first page of a user without an organisation: create one, or join one. */
export function StartPage({ user }: { user: UserInfo }) {
  const t = useTexts("account");
  const [open, setOpen] = useState<"create" | "join" | null>(null);
  const close = () => setOpen(null);
  const memberships = useCall(memberCalls.mine, { page: 1, pageSize: pageSizes.max }).data?.list ?? [];
  const isWaiting = memberships.some(({ endedAt }) => endedAt === null);
  return (
    <Stack gap="xl" className={classes.page}>
      <div className={classes.title}>
        <Title order={1}>
          <bdi>{t("account.startTitle", { name: user.nickName })}</bdi>
        </Title>
        <Text c="dimmed" mt={6}>
          {t("account.startText")}
        </Text>
      </div>
      {/* An invitation, or an application that waits, comes before everything else. */}
      {isWaiting && <MyMemberships />}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Choice of="create" Icon={IconBuildingHospital} isMain={!isWaiting} onChoose={() => setOpen("create")} />
        <Choice of="join" Icon={IconUsersGroup} isMain={false} onChoose={() => setOpen("join")} />
      </SimpleGrid>
      <Button
        component={ScreenLink}
        screen="profile"
        search={{ part: "settings" }}
        variant="subtle"
        color="gray"
        className={classes.settings}
      >
        {t("account.start.settings")}
      </Button>
      <CreateInstitution opened={open === "create"} onClose={close} user={user} />
      {open === "join" && <ApplyDialog onClose={close} />}
    </Stack>
  );
}

interface ChoiceProps {
  of: "create" | "join";
  Icon: ComponentType<{ size?: number; stroke?: number; "aria-hidden"?: boolean }>;
  isMain: boolean;
  onChoose: () => void;
}

function Choice({ of, Icon, isMain, onChoose }: ChoiceProps) {
  const t = useTexts("account");
  return (
    <Paper component="section" className={classes.choice}>
      <span className={classes.icon}>
        <Icon size={32} stroke={1.5} aria-hidden />
      </span>
      <Title order={2} size="h3">
        {t(`account.start.${of}`)}
      </Title>
      <Text c="dimmed" size="sm" flex={1}>
        {t(`account.start.${of}Text`)}
      </Text>
      <Button size="md" variant={isMain ? "filled" : "default"} onClick={onChoose}>
        {t(`account.start.${of}`)}
      </Button>
    </Paper>
  );
}
