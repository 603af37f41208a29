package dev.sequitur.node.rpc.schedule;

import dev.sequitur.json.Choice;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.node.rpc.method.IntentDraft;
import dev.sequitur.node.rpc.method.PublicDraft;
import dev.sequitur.schedule.Target;
import java.util.Optional;

/**
 * What callers can have a schedule run, by its {@code type}. {@link #of} ties it to {@link Target}:
 * one that nobody could send does not compile.
 */
enum TargetKind implements Choice.Kind {
  TRANSFER("transfer") {
    @Override
    public ObjectFormat fields() {
      return TargetFields.TRANSFER;
    }
  },
  NOTIFY("notify") {
    @Override
    public ObjectFormat fields() {
      return TargetFields.NOTIFY;
    }
  },
  PRIVATE("private") {
    @Override
    public ObjectFormat fields() {
      return IntentDraft.FIELDS;
    }
  },
  PUBLIC("public") {
    @Override
    public ObjectFormat fields() {
      return PublicDraft.SCHEDULED;
    }
  },
  REPEAT("repeat") {
    @Override
    public ObjectFormat fields() {
      return TargetFields.REPEAT;
    }
  };

  private final String word;

  TargetKind(String word) {
    this.word = word;
  }

  @Override
  public String word() {
    return word;
  }

  /** Of what a family alone knows there is none. */
  static Optional<TargetKind> of(Target target) {
    return switch (target) {
      case Target.Transfer any -> Optional.of(TRANSFER);
      case Target.Notify any -> Optional.of(NOTIFY);
      case Target.PrivateCall any -> Optional.of(PRIVATE);
      case Target.PublicCall any -> Optional.of(PUBLIC);
      case Target.Repeat any -> Optional.of(REPEAT);
      case Target.ByFamily any -> Optional.empty();
    };
  }
}
