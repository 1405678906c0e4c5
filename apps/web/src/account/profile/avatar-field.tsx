import { Button, FileButton, Group, Stack, Text } from "@mantine/core";
import { profileCalls } from "@arcada/contract/account/profile.calls";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import { accountRules } from "@arcada/contract/account/account.rules";
import { useState } from "react";
import { readFieldProblems } from "../../data/call-errors.ts";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCommand } from "../../data/use-command.ts";
import { Avatar } from "../../ui/avatar.tsx";

/** The user's avatar image: upload or remove. The server determines the file type. */
export function AvatarField({ user }: { user: UserInfo }) {
  const t = useTexts("account");
  const command = useCommand(profileCalls.setSelfInfo, { shownBy: "form" });
  const [problem, setProblem] = useState<string>();
  const save = async (headerImg: string | null) => {
    setProblem(undefined);
    const done = await command.run({ headerImg }, (refused) =>
      setProblem(readFieldProblems(refused)["headerImg"] ?? (refused.show === "form" ? refused.msg : undefined)),
    );
    if (done) toast("success", t("common.saved"));
  };
  const choose = async (file: File | null) => {
    if (!file) return;
    if (file.size > accountRules.avatarBytes) return setProblem(t("account.avatarTooLarge", { most: maxMegabytes }));
    await save(await readBase64(file));
  };
  return (
    <Group gap="md" wrap="nowrap" align="center">
      <Avatar name={user.nickName} imageUrl={user.headerImg} size={72} />
      <Stack gap={6} miw={0}>
        <Group gap="xs">
          <FileButton onChange={(file) => void choose(file)} accept=".jpg,.jpeg,.png,.ico,image/jpeg,image/png">
            {(button) => (
              <Button {...button} variant="default" size="sm" loading={command.busy}>
                {t(user.headerImg ? "account.avatarChange" : "account.avatarChoose")}
              </Button>
            )}
          </FileButton>
          {user.headerImg && (
            <Button variant="subtle" color="gray" size="sm" disabled={command.busy} onClick={() => void save(null)}>
              {t("common.remove")}
            </Button>
          )}
        </Group>
        {problem ? (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {problem}
          </Text>
        ) : (
          <Text size="xs" c="dimmed">
            {t("account.avatarRule", { most: maxMegabytes })}
          </Text>
        )}
      </Stack>
    </Group>
  );
}

const maxMegabytes = accountRules.avatarBytes / 1024 / 1024;

const readBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve((reader.result as string).split(",")[1] ?? ""));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("the file cannot be read")));
    reader.readAsDataURL(file);
  });
