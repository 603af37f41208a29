package dev.sequitur.cluster;

import akka.cluster.ConfigValidation;
import akka.cluster.Invalid;
import akka.cluster.JoinConfigCompatChecker;
import akka.cluster.Valid$;
import com.typesafe.config.Config;
import java.util.List;
import java.util.Optional;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Keeps a second JVM out of the cluster of a node whose journal is private, however the two found
 * each other.
 *
 * <p>Akka asks it on both sides when one JVM wants to join another through seed nodes or bootstrap;
 * a JVM that joins itself is not asked. The one that wanted to join logs the reason and shuts down.
 */
public final class PrivateJournalJoinCheck extends JoinConfigCompatChecker {
  private static final List<String> COMPARED =
      List.of("akka.persistence.journal.plugin", "akka.persistence.snapshot-store.plugin");

  @Override
  public Seq<String> requiredKeys() {
    return CollectionConverters.asScala(COMPARED).toSeq();
  }

  @Override
  public ConfigValidation check(Config toCheck, Config actualConfig) {
    Optional<PrivateJournal> journal = PrivateJournal.of(actualConfig);
    return journal.isEmpty()
        ? Valid$.MODULE$
        : new Invalid(
            CollectionConverters.asScala(
                    List.of(journal.get().refusal("the one that wants to join")))
                .toSeq());
  }
}
