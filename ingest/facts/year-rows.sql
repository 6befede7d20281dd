SELECT getvariable('rows')::INTEGER AS rows;
