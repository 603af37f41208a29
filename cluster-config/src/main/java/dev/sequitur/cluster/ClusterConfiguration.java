package dev.sequitur.cluster;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import dev.sequitur.persistence.leveldb.LevelDbSettings;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Builds and checks the configuration of one node's actor system. */
public final class ClusterConfiguration {
  private ClusterConfiguration() {}

  /** As {@link #singleJvm(SingleJvmSettings, Config)}, with nothing changed in the profile. */
  public static Config singleJvm(SingleJvmSettings settings) {
    return singleJvm(settings, ConfigFactory.empty());
  }

  /**
   * The resolved configuration of a node that is one JVM. Whoever starts the actor system gives it
   * the node's name and joins it to itself.
   *
   * @param settings win over everything else
   * @param changes win over the profile; {@code ConfigFactory.systemProperties()} for instance
   * @throws InvalidConfigurationException if no node could start with it
   */
  public static Config singleJvm(SingleJvmSettings settings, Config changes) {
    Config own =
        ConfigFactory.parseMap(settings.toConfig(), "settings of node " + settings.nodeName());
    Config config = resolved(settings.nodeName(), own, changes, "single-jvm.conf");
    checked(settings.nodeName(), () -> LevelDbSettings.from(config));
    OtherJvms.named(config).stream()
        .findFirst()
        .ifPresent(
            other -> {
              throw new InvalidConfigurationException(
                  "Node %s is one JVM and listens to no other, but its configuration names %s: remove it, or make it a node of several with cluster.enabled."
                      .formatted(settings.nodeName(), other));
            });
    return config;
  }

  /**
   * The resolved configuration of one JVM of a node that has several. Whoever starts the actor
   * system gives it the node's name; it joins by itself.
   *
   * @param settings win over everything else
   * @param changes win over the profile
   * @throws InvalidConfigurationException if no node could start with it, for instance with a
   *     journal that lies on one machine
   */
  public static Config severalJvms(SeveralJvmsSettings settings, Config changes) {
    Config own =
        ConfigFactory.parseMap(settings.toConfig(), "settings of node " + settings.nodeName());
    Config config =
        TrustedPaths.within(resolved(settings.nodeName(), own, changes, "several-jvms.conf"));
    PrivateJournal.of(config)
        .ifPresent(
            journal -> {
              throw new InvalidConfigurationException(
                  journal.refusal("any that joins it later, since its profile is for several"));
            });
    return config;
  }

  private static Config resolved(String node, Config own, Config changes, String profile) {
    ClassLoader loader = ClusterConfiguration.class.getClassLoader();
    return checked(
        node,
        () -> {
          Config config =
              own.withFallback(changes)
                  .withFallback(
                      ConfigFactory.parseResources(
                          loader, profile, ConfigParseOptions.defaults().setAllowMissing(false)))
                  .withFallback(ConfigFactory.defaultReferenceUnresolved(loader))
                  .resolve();
          config.checkValid(ConfigFactory.defaultReference(loader), "akka", "sequitur");
          refusePrivateJournalInCluster(config);
          return config;
        });
  }

  private static <T> T checked(String node, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (ConfigException | IllegalArgumentException e) {
      throw new InvalidConfigurationException(
          "Node %s can't start: %s".formatted(node, reason(e)), e);
    }
  }

  private static String reason(RuntimeException e) {
    return e instanceof ConfigException.ValidationFailed failed
        ? StreamSupport.stream(failed.problems().spliterator(), false)
            .map(problem -> problem.path() + ": " + problem.problem())
            .collect(Collectors.joining("; "))
        : e.getMessage();
  }

  /**
   * Refuses a journal that lies on one machine if the configuration names other JVMs to join. An
   * entity that moves there would find no events and start anew.
   *
   * <p>It looks at seed nodes and at the contact points of Akka's cluster bootstrap.
   *
   * @param config resolved; any profile
   * @throws InvalidConfigurationException if there is such a journal and such a JVM
   */
  public static void refusePrivateJournalInCluster(Config config) {
    PrivateJournal.of(config)
        .ifPresent(
            journal ->
                OtherJvms.named(config).stream()
                    .findFirst()
                    .ifPresent(
                        other -> {
                          throw new InvalidConfigurationException(journal.refusal(other));
                        }));
  }

  /**
   * A journal or snapshot store that only the JVM it runs in can read.
   *
   * @param plugin its id in the configuration
   */
  private record PrivateJournal(String plugin) {
    private static final Set<String> CLASSES =
        Set.of(
            "akka.persistence.journal.leveldb.LeveldbJournal",
            "akka.persistence.journal.inmem.InmemJournal");

    /** Of Sequitur's own plugins. */
    private static final Set<String> MAPS = Set.of("level-db");

    /** The first such plugin that is in use. */
    static Optional<PrivateJournal> of(Config config) {
      return Stream.of("akka.persistence.journal.plugin", "akka.persistence.snapshot-store.plugin")
          .filter(config::hasPath)
          .map(config::getString)
          .filter(plugin -> isPrivate(config, plugin))
          .findFirst()
          .map(PrivateJournal::new);
    }

    private static boolean isPrivate(Config config, String plugin) {
      return !plugin.isBlank()
          && (is(config, plugin + ".class", CLASSES) || is(config, plugin + ".map", MAPS));
    }

    private static boolean is(Config config, String path, Set<String> values) {
      return config.hasPath(path) && values.contains(config.getString(path));
    }

    /** Why another JVM is out of the question, for the operator. */
    String refusal(String otherJvm) {
      return ("This node is configured to share a cluster with another JVM (%s), but %s keeps its"
              + " data in this JVM's own directory: an entity that moves to the other JVM would lose"
              + " its state. Remove the other JVM from the configuration, or choose a journal that"
              + " all JVMs share.")
          .formatted(otherJvm, plugin);
    }
  }
}
