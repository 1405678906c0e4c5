import path from "node:path";

/** The place and the names of an installation, from which the definitions of its service are written. */
export interface ServiceSetup {
  root: string;
  /** The Node of the installation, and the script that it runs. */
  runtime: string;
  script: string;
  /** The account that runs the service; null: the system's own (Windows: LocalService). */
  user: string | null;
  /** Folders that the program writes into. */
  writable: readonly string[];
}
/** The steps of an installation: files to write, then commands to run. */
export interface ServicePlan {
  files: { path: string; text: string; encoding: "utf8" | "utf16le" }[];
  commands: string[][];
}
export type ServicePlatform = "linux" | "darwin" | "win32";

const unitPath = "/etc/systemd/system/arcada-gateway.service";
const plistPath = "/Library/LaunchDaemons/org.arcada.gateway.plist";
const plistLabel = "org.arcada.gateway";
const taskName = "Arcada Gateway";

/** Returns what installs the service on a platform. */
export function planInstallation(platform: ServicePlatform, setup: ServiceSetup): ServicePlan {
  if (platform === "linux")
    return {
      files: [{ path: unitPath, text: systemdUnit(setup), encoding: "utf8" }],
      commands: [
        ["systemctl", "daemon-reload"],
        ["systemctl", "enable", "--now", "arcada-gateway.service"],
      ],
    };
  if (platform === "darwin")
    return {
      files: [{ path: plistPath, text: launchdPlist(setup), encoding: "utf8" }],
      commands: [["launchctl", "bootstrap", "system", plistPath]],
    };
  const task = path.win32.join(setup.root, "arcada-gateway-task.xml");
  return {
    files: [{ path: task, text: `\uFEFF${scheduledTask(setup)}`, encoding: "utf16le" }],
    commands: [
      ["schtasks", "/Create", "/TN", taskName, "/XML", task, "/F"],
      ["schtasks", "/Run", "/TN", taskName],
    ],
  };
}

/** Returns what removes the service; the installation's folder stays. `remove` names files that go. */
export function planRemoval(platform: ServicePlatform): { commands: string[][]; remove: string[] } {
  if (platform === "linux")
    return { commands: [["systemctl", "disable", "--now", "arcada-gateway.service"]], remove: [unitPath] };
  if (platform === "darwin")
    return { commands: [["launchctl", "bootout", `system/${plistLabel}`]], remove: [plistPath] };
  return {
    commands: [
      ["schtasks", "/End", "/TN", taskName],
      ["schtasks", "/Delete", "/TN", taskName, "/F"],
    ],
    remove: [],
  };
}

/** Returns the command that shows the state of the service. */
export const statusCommand = (platform: ServicePlatform): string[] =>
  platform === "linux"
    ? ["systemctl", "--no-pager", "status", "arcada-gateway.service"]
    : platform === "darwin"
      ? ["launchctl", "print", `system/${plistLabel}`]
      : ["schtasks", "/Query", "/TN", taskName, "/V", "/FO", "LIST"];

// systemd.service(5), "Command lines": a quoted argument reads backslash, % and $ itself.
const quoteForSystemd = (text: string): string =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;

const systemdUnit = ({ root, runtime, script, user, writable }: ServiceSetup): string => `[Unit]
Description=Arcada gateway
Wants=network-online.target
After=network-online.target

[Service]
Type=exec
${user === null ? "" : `User=${user}\n`}WorkingDirectory=${root.replaceAll("%", "%%")}
ExecStart=${[runtime, script, "run"].map(quoteForSystemd).join(" ")}
Restart=always
RestartSec=5
KillMode=mixed
TimeoutStopSec=60
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=${[root, ...writable].map(quoteForSystemd).join(" ")}
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
PrivateDevices=yes
PrivateTmp=yes
RestrictRealtime=yes
RestrictNamespaces=yes
SystemCallArchitectures=native
${user === null ? "" : rightsOfAccount}RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictSUIDSGID=yes
LockPersonality=yes
UMask=0027

[Install]
WantedBy=multi-user.target
`;

// DICOM's own port, 104, needs a right that only root has. Root itself needs more to write into folders of others.
const rightsOfAccount = "CapabilityBoundingSet=CAP_NET_BIND_SERVICE\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n";

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const launchdPlist = ({ root, runtime, script, user }: ServiceSetup): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
  <key>Label</key><string>${plistLabel}</string>
  <key>ProgramArguments</key><array>
${[runtime, script, "run"].map((part) => `    <string>${escapeXml(part)}</string>`).join("\n")}
  </array>
  <key>WorkingDirectory</key><string>${escapeXml(root)}</string>
${user === null ? "" : `  <key>UserName</key><string>${escapeXml(user)}</string>\n`}  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
  <key>ThrottleInterval</key><integer>10</integer>
  <key>StandardOutPath</key><string>${escapeXml(path.posix.join(root, "gateway.log"))}</string>
  <key>StandardErrorPath</key><string>${escapeXml(path.posix.join(root, "gateway.log"))}</string>
</dict></plist>
`;

/**
 * A task at the start of Windows: a program of its own would have to be added for a service. Without the two settings of
 * time Windows ends a task after three days, and does not start it on battery.
 */
const scheduledTask = ({
  root,
  runtime,
  script,
  user,
}: ServiceSetup): string => `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>Arcada gateway</Description></RegistrationInfo>
  <Triggers><BootTrigger><Enabled>true</Enabled></BootTrigger></Triggers>
  <Principals><Principal id="Author">
    <UserId>${escapeXml(user ?? localService)}</UserId>
    <RunLevel>LeastPrivilege</RunLevel>
  </Principal></Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>999</Count></RestartOnFailure>
  </Settings>
  <Actions Context="Author"><Exec>
    <Command>${escapeXml(runtime)}</Command>
    <Arguments>"${escapeXml(script)}" run</Arguments>
    <WorkingDirectory>${escapeXml(root)}</WorkingDirectory>
  </Exec></Actions>
</Task>
`;
/** The account with few rights for services: it needs the right to write into the folders of the installation. */
const localService = "S-1-5-19";
