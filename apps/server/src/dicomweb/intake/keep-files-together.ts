import {
  discardFiles,
  isWithoutRoom,
  keepFiles,
  recordFiles,
  type IntakeSender,
  type ReceivedFile,
} from "./keep-received-files.ts";

interface WaitingFile {
  received: ReceivedFile;
  resolve: (settled: ReceivedFile) => void;
  reject: (error: unknown) => void;
}

const maxFilesOfTransaction = 32;

/** The files that wait for the transaction of an institution that is under way. */
const waitingByInstitution = new Map<string, WaitingFile[]>();

/**
 * Keeps one file as `keepFiles` does. Files that arrive for the same institution while a transaction records others share
 * the next one: several associations cost one commit, and a single one waits for nobody. All senders of an institution
 * must have the same user and origin. The bytes and names of the files must be on the disk.
 */
export function keepTogether(sender: IntakeSender, received: ReceivedFile): Promise<ReceivedFile> {
  return new Promise((resolve, reject) => {
    const one = { received, resolve, reject };
    const waiting = waitingByInstitution.get(sender.iid);
    if (waiting) waiting.push(one);
    else {
      waitingByInstitution.set(sender.iid, [one]);
      void keepWaiting(sender);
    }
  });
}

async function keepWaiting(sender: IntakeSender): Promise<void> {
  const waiting = waitingByInstitution.get(sender.iid)!;
  while (waiting.length > 0) await keepSome(sender, waiting.splice(0, maxFilesOfTransaction));
  waitingByInstitution.delete(sender.iid);
}

async function keepSome(sender: IntakeSender, waiting: readonly WaitingFile[]): Promise<void> {
  if (waiting.length > 1 && (await keepAll(sender, waiting))) return;
  for (const { received, resolve, reject } of waiting)
    await keepFiles(sender, [received]).then(([answer]) => resolve(answer!), reject);
}

/** Returns false if nothing was recorded because they do not fit together: some of them may. */
async function keepAll(sender: IntakeSender, waiting: readonly WaitingFile[]): Promise<boolean> {
  const received = waiting.map((one) => one.received);
  try {
    const { answers, kept } = await recordFiles(sender, received);
    // The files are kept, whatever happens to the bytes of others: the sweeper removes what nothing refers to.
    await discardFiles(received, kept).catch(() => {});
    for (const [at, { resolve }] of waiting.entries()) resolve(answers[at]!);
    return true;
  } catch (error) {
    if (isWithoutRoom(error)) return false;
    for (const { reject } of waiting) reject(error);
    return true;
  }
}
