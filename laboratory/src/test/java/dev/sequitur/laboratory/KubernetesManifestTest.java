package dev.sequitur.laboratory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.Certificates.Validity;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.guard.Guard;
import dev.sequitur.node.guard.TokenFile;
import dev.sequitur.protocol.guard.ApiToken;
import dev.sequitur.protocol.guard.ApiToken.Grant;
import dev.sequitur.protocol.id.NodeName;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is given to {@code kubectl apply}. */
class KubernetesManifestTest {
  private static final Path MANIFEST = Path.of("../distribution/src/kubernetes/node1.yaml");

  @TempDir private Path directory;

  private static List<JsonNode> objects() throws IOException {
    var yaml = new YAMLMapper();
    try (var read = yaml.readerFor(JsonNode.class).<JsonNode>readValues(MANIFEST.toFile())) {
      return read.readAll();
    }
  }

  private static JsonNode object(String kind) throws IOException {
    return objects().stream()
        .filter(one -> one.path("kind").asText().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  /** Fields that Kubernetes does not know are refused, and those that it wants are asked for. */
  private static void validate(JsonNode object) throws IOException {
    JsonElement json = JsonParser.parseString(object.toString());
    var kind = object.path("apiVersion").asText() + " " + object.path("kind").asText();
    switch (kind) {
      case "v1 ConfigMap" -> V1ConfigMap.validateJsonElement(json);
      case "v1 Service" -> V1Service.validateJsonElement(json);
      case "apps/v1 StatefulSet" -> V1StatefulSet.validateJsonElement(json);
      case "policy/v1 PodDisruptionBudget" -> V1PodDisruptionBudget.validateJsonElement(json);
      case "networking.k8s.io/v1 NetworkPolicy" -> V1NetworkPolicy.validateJsonElement(json);
      default -> throw new AssertionError("No description of " + kind);
    }
  }

  @Test
  void eachObjectIsAsKubernetesDescribesIt() throws IOException {
    var objects = objects();
    assertThat(objects).hasSizeGreaterThan(4);
    for (var object : objects) {
      validate(object);
    }
  }

  @Test
  void aFieldThatIsMisspeltDeepInsideIsNoticed() throws IOException {
    var set = object("StatefulSet");
    ((ObjectNode) set.at("/spec/template/spec/containers/0/readinessProbe")).put("timeout", 3);

    assertThatThrownBy(() -> validate(set)).hasMessageContaining("timeout");
  }

  /** Each secret and volume that a container mounts is there, and each port has its probe. */
  @Test
  void whatIsMountedIsDeclared() throws IOException {
    var pod = object("StatefulSet").at("/spec/template/spec");

    assertThat(names(pod.at("/containers/0/volumeMounts")))
        .containsExactlyInAnyOrderElementsOf(names(pod.path("volumes")));
  }

  private static List<String> names(JsonNode list) {
    var names = new ArrayList<String>();
    list.forEach(one -> names.add(one.path("name").asText()));
    return names;
  }

  @Test
  void aNodeReadsTheConfigurationInIt() throws IOException {
    var read = NodeConfiguration.read(configuration());

    assertThat(read.name().value()).isEqualTo("node1");
    assertThat(object("StatefulSet").at("/spec/template/spec").toString())
        .as("probes")
        .contains("\"port\":" + read.health().listen().orElseThrow().getPort());
  }

  @Test
  void itAsksWhoCallsAndDoesNotStartBeforeItHasAToken() throws IOException {
    var now = Instant.now();
    var names = List.of(new NodeName("node1"), new NodeName("rpc"));
    Certificates.writeNetwork(
        directory.resolve("tls"), names, new Validity(now, now.plus(Duration.ofDays(1))));
    var file = configuration();

    assertThatThrownBy(() -> doors(file)).hasMessageContaining("sequitur token create");

    Files.createDirectories(directory.resolve("keys"));
    var made =
        ApiToken.make(new Grant("ops", List.of("owner"), now, Optional.empty()), new byte[40]);
    new TokenFile(NodeConfiguration.read(file).guard().tokens())
        .update(tokens -> tokens.with(made.token(), now));
    assertThat(doors(file).rpc().asks()).isTrue();
    assertThat(doors(file).health().asks()).as("probes").isFalse();
  }

  private static Guard.Doors doors(Path file) {
    var read = NodeConfiguration.read(file);
    return new Guard(read.guard(), InstantSource.system()).doors(read.rpc(), read.health());
  }

  private Path configuration() throws IOException {
    var text =
        object("ConfigMap")
            .at("/data/sequitur.conf")
            .asText()
            .replace("${POD}", "node1-0")
            .replace("${SEQUITUR_DB_PASSWORD}", "secret")
            .replace("/etc/sequitur/", directory + "/");
    return Files.writeString(directory.resolve("sequitur.conf"), text);
  }
}
