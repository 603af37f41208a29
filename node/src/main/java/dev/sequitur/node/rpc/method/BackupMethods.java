package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.BackgroundTask.State;
import dev.sequitur.node.rpc.Backups;
import dev.sequitur.node.rpc.Backups.Status;
import dev.sequitur.protocol.guard.MethodGroup;
import java.util.List;

/** Backups of the node while it runs. */
record BackupMethods(Backups backups) {
  private static final String ANSWER =
      "`{state, directory, begun, ended, entries, bytes, written, trouble, newest}`";

  private static final ObjectShape<Status> BACKUP =
      ObjectShape.<Status>named("Backup")
          .with(
              "state",
              Shape.among(State.class, State::word),
              Status::state,
              "`none` if this JVM has begun none")
          .maybe("directory", Formats.TEXT, Status::directory, "on the JVM's machine")
          .maybe("begun", Formats.TIME, Status::begun)
          .maybe("ended", Formats.TIME, Status::ended)
          .with("entries", Shape.NUMBER, Status::entries, "read so far")
          .with("bytes", Shape.NUMBER, Status::bytes, "of these")
          .with(
              "written", Shape.NUMBER, Status::written, "bytes that the directory did not have yet")
          .maybe("trouble", Formats.TEXT, Status::trouble, "why it has failed, and what to do")
          .maybe(
              "newest",
              Formats.TIME,
              Status::newest,
              "the moment of the newest whole backup in the directory");

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.of(
            MethodGroup.OPERATE,
            "node_backup",
            List.of(),
            BACKUP,
            ANSWER,
            "Begins a backup of all that the node keeps, as it is at this moment, into"
                + " `backup.directory` of the JVM that is asked, and answers at once. What the"
                + " directory has already is not written again. While one runs, another one is not"
                + " begun. The key seed is no part of it.",
            call -> completedFuture(backups.begin())),
        RpcMethod.reading(
            "node_backupStatus",
            List.of(),
            BACKUP,
            ANSWER,
            "How the last backup is that the JVM that is asked has begun.",
            call -> completedFuture(backups.status())));
  }
}
