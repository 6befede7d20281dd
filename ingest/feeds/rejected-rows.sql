SELECT count(*)::INTEGER AS rejected FROM rejected;
