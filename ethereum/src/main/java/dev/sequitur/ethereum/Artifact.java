package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sequitur.protocol.id.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A contract as it was compiled.
 *
 * @param abi its functions, events and errors, as the compiler describes them
 * @param creation the code that makes it; constructor arguments go behind it
 */
public record Artifact(JsonNode abi, Bytes creation) {
  public static final Artifact PRIVACY_GROUP = read("PrivacyGroup");
  public static final Artifact PRIVACY_GROUP_FACTORY = read("PrivacyGroupFactory");

  private static Artifact read(String name) {
    try (var json = Artifact.class.getResourceAsStream(name + ".json")) {
      var artifact = JsonMapper.builder().build().readTree(json);
      return new Artifact(artifact.get("abi"), Bytes.hex(artifact.get("creation").textValue()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
