package dev.sequitur.schedule.family;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.registry.FamilyTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class FamilyRoomsTest {
  @Test
  void theRoomOfEachFamilyNamesThePageOfItsRules() throws IOException {
    var page = Pattern.compile("docs/rules/[a-z-]+\\.md");
    for (var family : FamilyTypes.of(Family.class)) {
      var room =
          Path.of("src", "main", "java")
              .resolve(family.getPackageName().replace('.', '/'))
              .resolve("package-info.java");
      assertThat(page.matcher(Files.readString(room)).results().map(MatchResult::group))
          .as("pages that " + room + " names")
          .isNotEmpty()
          .allSatisfy(named -> assertThat(Path.of("..").resolve(named)).exists());
    }
  }
}
