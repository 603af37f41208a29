package dev.sequitur.domain;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.protocol.port.Domain;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * The domains of a process by name: the shipped ones, and those found on the class path. To add
 * one, implement {@link Domain} (pure but for the keys it is given, thread-safe; everything a party
 * needs to check must be in the states, the specification and the intent), implement {@link
 * DomainFactory}, name that class in {@code META-INF/services/dev.sequitur.domain.DomainFactory} of
 * your jar, put the jar on the class path of every node of the group, and let its test extend the
 * contract test of domains.
 */
public final class Domains {
  private final Map<String, Domain> byName;

  private Domains(Map<String, Domain> byName) {
    this.byName = Map.copyOf(byName);
  }

  /**
   * The domains that the context class loader sees.
   *
   * @throws IllegalStateException if two have the same name
   */
  public static Domains load() {
    return load(Thread.currentThread().getContextClassLoader());
  }

  /**
   * @throws IllegalStateException if two have the same name
   */
  public static Domains load(ClassLoader classes) {
    var byName = new TreeMap<String, Domain>();
    add(byName, new TokenDomain());
    add(byName, new RecordDomain());
    add(byName, new NotoDomain(new Secp256k1Signatures()));
    for (var factory : ServiceLoader.load(DomainFactory.class, classes)) {
      add(byName, factory.create());
    }
    return new Domains(byName);
  }

  private static void add(Map<String, Domain> byName, Domain domain) {
    if (byName.putIfAbsent(domain.name(), domain) != null) {
      throw new IllegalStateException(
          "Two domains are called '"
              + domain.name()
              + "': leave only one of them on the class path.");
    }
  }

  /** Unmodifiable. */
  public Map<String, Domain> byName() {
    return byName;
  }

  public Optional<Domain> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }
}
