package dev.sequitur.scheduler.actor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sequitur.persistence.store.CommandStore;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.scheduler.storage.CommandDigest;
import dev.sequitur.scheduler.storage.QueueFormat;
import dev.sequitur.scheduler.storage.RecentCommands;
import dev.sequitur.scheduler.storage.RecentCommands.Remembered;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What the store has of the commands that have left their queue's memory. Thread-safe. */
public record Recall(CommandStore store, QueueFormat format, CommandDigest digests) {
  /** Those of these ids that are there. */
  CompletionStage<Map<String, Remembered>> find(String queue, Collection<String> commands) {
    var hashes = new HashMap<Hash, String>();
    commands.forEach(command -> hashes.put(hash(command), command));
    return store
        .find(queue, hashes.keySet())
        .thenApply(
            found -> {
              var recalled = new HashMap<String, Remembered>();
              found.forEach(
                  (hash, content) ->
                      recalled.put(hashes.get(hash), format.decode(content, Remembered.class)));
              return recalled;
            });
  }

  /** What a command is answered that has left its queue's memory; empty if it is not there. */
  public CompletionStage<Optional<QueueEffect>> answer(String queue, Command command) {
    return find(queue, List.of(command.command()))
        .thenApply(
            found ->
                Optional.ofNullable(found.get(command.command()))
                    .map(known -> Repetition.answer(digests, known, command)));
  }

  /** Those from one number to another as the store takes them. */
  List<CommandStore.Done> done(RecentCommands commands, long from, long to) {
    var done = new ArrayList<CommandStore.Done>();
    commands.visit(
        from,
        to,
        (number, command) -> {
          if (Repetition.mayCome(command)) {
            var content = format.encode(commands.answers().get(command), Remembered.class);
            done.add(new CommandStore.Done(number, hash(command), content));
          }
        });
    return done;
  }

  private static Hash hash(String command) {
    return Hash.sha256(command.getBytes(UTF_8));
  }
}
